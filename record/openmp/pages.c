#include "record/openmp/probe.h"
bool tv_omp_has_pages;
void tv_omp_pages_setup(void)
{
}
void tv_omp_pages_add(uint64_t a)
{
	(void)a;
}
void tv_omp_pages_write(void)
{
}
void tv_omp_pages_forked(void)
{
}
