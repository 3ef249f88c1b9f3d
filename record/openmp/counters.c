#include "record/openmp/probe.h"
bool tv_omp_has_counters;
void tv_omp_counters_setup(void)
{
}
void tv_omp_counters_open(void)
{
}
void tv_omp_counters_write(int64_t time)
{
	(void)time;
}
