/* SPDX-License-Identifier: GPL-3.0-or-later */
/* classes.cc -- tasks in methods, templates, lambdas and namespaces of C++. */
#include <vector>

struct Solver {
	std::vector<int> v;
	void run();

	template <class T> void
	go(T x)
	{
#pragma omp task
		v[0] += (int)x;
	}
};

void
Solver::run()
{
#pragma omp task
	v[1]++;
	go(3.0);
	go(4);
	auto f = [&](int k)
	{
		v[k + 2] = k;
#pragma omp task
		v[k]++;
	};
	f(2);
	f(3);
}

namespace outer {
void inner(int *p)
{
#pragma omp task
	*p += 1;
}
} // namespace outer

int
main()
{
	Solver solver;

	solver.v.resize(8);
#pragma omp parallel num_threads(2)
#pragma omp single
	solver.run();
	outer::inner(&solver.v[5]);
}
