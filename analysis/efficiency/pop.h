/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pop.h -- the metrics of POP (pop-coe.eu/node/69), in which all workers are equal.
 *
 *	parallel       mean busy time / makespan = load balance x communication
 *	load balance   mean / max busy time
 *	communication  max busy time / makespan = serialization x transfer
 *	serialization  max busy time / makespan without messages and without the runtime
 *	transfer       that makespan / recorded makespan
 *
 * A worker is one process of POP. Their transfer contains our runtime: their replay has no third factor.
 *
 * Of threads that call MPI, and wait in OpenMP, also those of TALP (hybrid-v2 of its source, as of 2026). A thread that waits while
 * another one of its rank is in a call counts for both, so parallel is not mpi-parallel x openmp-parallel:
 *
 *	mpi-parallel       1 - mean time in MPI calls, or in such waits / makespan = mpi-load-balance x mpi-communication
 *	mpi-load-balance   mean / largest mean of a rank, of the time that is not in them
 *	mpi-communication  that largest mean / makespan
 *	openmp-parallel    1 - mean time in waits of OpenMP / makespan
 *
 * Of devices those of TALP (the same source); kernels are useful, copies are communication:
 *
 *	device-parallel       mean time in kernels / makespan = device-load-balance x device-communication x device-orchestration
 *	device-load-balance   mean / max over devices of the time in kernels
 *	device-communication  that max / max over devices of the time in kernels or copies
 *	device-orchestration  the latter max / makespan
 *	device-offload        1 - mean time of threads in calls of the devices' runtime / makespan, of threads with such calls
 */
#ifndef TV_POP_H
#define TV_POP_H

#include "analysis/efficiency/ladder.h"

/* POP(symbol, name, what) */
#define TV_POP_METRICS(POP) \
	POP(PARALLEL, "parallel", "mean busy time of all workers / makespan") \
	POP(LOAD_BALANCE, "load-balance", "mean / max busy time") \
	POP(COMMUNICATION, "communication", "max busy time / makespan") \
	POP(SERIALIZATION, "serialization", \
	    "max busy time / makespan without messages and runtime") \
	POP(TRANSFER, "transfer", "makespan without messages and runtime / makespan") \
	POP(MPI, "mpi-parallel", \
	    "mean time of threads outside MPI calls of their rank / makespan") \
	POP(MPI_LOAD_BALANCE, "mpi-load-balance", "mean of that time / max over ranks") \
	POP(MPI_COMMUNICATION, "mpi-communication", "max over ranks of that time / makespan") \
	POP(OPENMP, "openmp-parallel", "1 - mean time of threads in waits of OpenMP / makespan") \
	POP(DEVICE, "device-parallel", "mean time of devices in kernels / makespan") \
	POP(DEVICE_LOAD_BALANCE, "device-load-balance", "mean of that time / max over devices") \
	POP(DEVICE_COMMUNICATION, "device-communication", \
	    "max over devices of that time / max of the time in kernels or copies") \
	POP(ORCHESTRATION, "device-orchestration", \
	    "max over devices of the time in kernels or copies / makespan") \
	POP(OFFLOAD, "device-offload", \
	    "1 - mean time of threads in calls of the devices' runtime / makespan")

enum tv_pop_metric {
#define TV_POP_SYMBOL(symbol, ...) TV_POP_##symbol,
	TV_POP_METRICS(TV_POP_SYMBOL)
#undef TV_POP_SYMBOL
		TV_NPOP
};

struct tv_pop {
	bool has[TV_NPOP]; /* it belongs to such a run: those of MPI and OpenMP where threads do both, of devices where there are some */
	double value[TV_NPOP];	      /* NaN = missing */
	const char *missing[TV_NPOP]; /* why; NULL = it is there, or 0 / 0 */
};

const char *tv_pop_name(enum tv_pop_metric metric);
const char *tv_pop_what(enum tv_pop_metric metric);
/* ladder: of the run. -1 with *err, as the pass idleness in mode tasks. */
int tv_pop_init(struct tv_pop *pop, struct tv_run *run, const struct tv_ladder *ladder,
		struct tv_error *err) TV_MUST_CHECK;

#endif
