/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exact.c -- sums and products as a double and what rounding loses. */
#include "analysis/core/exact.h"

#include <math.h>

#include "trace/alloc.h"

/* a + b, exactly. */
static struct tv_two add(double a, double b)
{
	double sum = a + b, of_b = sum - a;

	return (struct tv_two){ sum, (a - (sum - of_b)) + (b - of_b) };
}

/* a x b, exactly unless it is below the smallest doubles. */
static struct tv_two multiply(double a, double b)
{
	double product = a * b;

	return (struct tv_two){ product, fma(a, b, -product) };
}

void tv_exact_add(struct tv_exact *e, double number)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < e->n; i++) {
		struct tv_two sum = add(number, e->part[i]);

		if (sum.low != 0)
			e->part[n++] = sum.low;
		number = sum.high;
	}
	e->n = n;
	e->lost = e->lost || !isfinite(number);
	if (e->lost || number == 0)
		return;
	TV_GROW(e->part, e->n, e->cap, 1);
	e->part[e->n++] = number;
}

void tv_exact_add_product(struct tv_exact *e, double a, double b)
{
	struct tv_two product = multiply(a, b);

	tv_exact_add(e, product.high);
	if (product.low != 0)
		tv_exact_add(e, product.low);
}

/* The nearest double: what is below the last digit decides only where the part after is half of it. */
static double nearest(const struct tv_exact *e)
{
	struct tv_two sum = { 0 };
	uint32_t i = e->n;
	double twice, above;

	while (i > 0 && sum.low == 0)
		sum = add(sum.high, e->part[--i]);
	if (i == 0 || sum.low == 0 || (sum.low < 0) != (e->part[i - 1] < 0))
		return sum.high;
	twice = 2 * sum.low;
	above = sum.high + twice;
	return above - sum.high == twice ? above : sum.high;
}

struct tv_two tv_exact_value(const struct tv_exact *e)
{
	struct tv_exact rest = { 0 };
	struct tv_two value;

	if (e->lost)
		return (struct tv_two){ NAN, NAN };
	value.high = nearest(e);
	for (uint32_t i = 0; i < e->n; i++)
		tv_exact_add(&rest, e->part[i]);
	tv_exact_add(&rest, -value.high);
	value.low = nearest(&rest);
	tv_exact_release(&rest);
	return value;
}

void tv_exact_pack(const struct tv_exact *e, struct tv_parcel *pack)
{
	tv_pack_number(pack, e->lost);
	tv_pack_number(pack, e->n);
	tv_pack_bytes(pack, e->part, e->n * sizeof *e->part);
}

void tv_exact_unpack(struct tv_exact *e, struct tv_unpack *from)
{
	e->lost = tv_unpack_number(from) != 0 || e->lost;
	for (uint64_t n = tv_unpack_number(from); n > 0; n--) {
		double part;

		tv_unpack_bytes(from, &part, sizeof part);
		tv_exact_add(e, part);
	}
}

void tv_exact_release(struct tv_exact *e)
{
	tv_free(e->part);
	*e = (struct tv_exact){ 0 };
}

/* ---- numbers in twice the digits ---- */

struct tv_two tv_two_minus(struct tv_two a, struct tv_two b)
{
	struct tv_two high = add(a.high, -b.high), low = add(a.low, -b.low);

	high = add(high.high, high.low + low.high);
	return add(high.high, high.low + low.low);
}

struct tv_two tv_two_times(struct tv_two a, struct tv_two b)
{
	struct tv_two product = multiply(a.high, b.high);

	return add(product.high, product.low + (a.high * b.low + a.low * b.high));
}

struct tv_two tv_two_over(struct tv_two a, struct tv_two b)
{
	struct tv_two quotient = { 0 };

	for (int i = 0; i < 3; i++) {
		double digits = a.high / b.high;
		struct tv_two sum = add(quotient.high, digits);

		quotient = add(sum.high, sum.low + quotient.low);
		a = tv_two_minus(a, tv_two_times((struct tv_two){ digits, 0 }, b));
	}
	return quotient;
}
