/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * calls.h -- the functions of MPI that are recorded: the one table, included where it is expanded.
 *
 *	CALL(name, class, parameters, arguments, before, after)
 *
 * of MPI_name. before: what is known when it is called; after: what is known when it has returned. They
 * are statements on `call`, `rc` and the parameters, made of what probe.h has. load.c, which needs the
 * names alone, includes this without MPI's header.
 *
 * To add a function, add a row here.
 */
/* clang-format off */

/* ---- messages ---- */

#define SEND_PARAMETERS \
	(const void *buf, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm)
#define SEND_ARGUMENTS	 (buf, count, type, peer, tag, comm)
#define SEND_REQUEST	 (buf, count, type, peer, tag, comm, request)
#define REQUEST_PARAMETERS \
	(const void *buf, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, \
	 MPI_Request *request)
#define BUFFER_PARAMETERS \
	(void *buf, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, \
	 MPI_Request *request)
#define MESSAGE tv_mpi_message(&call, comm, peer, tag, tv_mpi_bytes(count, type))

CALL(Send, BLOCKING, SEND_PARAMETERS, SEND_ARGUMENTS, MESSAGE; IS_SEND, )
CALL(Ssend, BLOCKING, SEND_PARAMETERS, SEND_ARGUMENTS, MESSAGE; IS_SEND, )
CALL(Rsend, BLOCKING, SEND_PARAMETERS, SEND_ARGUMENTS, MESSAGE; IS_SEND, )
CALL(Bsend, BLOCKING, SEND_PARAMETERS, SEND_ARGUMENTS, MESSAGE; IS_SEND, )
CALL(Recv, BLOCKING,
     (void *buf, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Status *status),
     (buf, count, type, peer, tag, comm, status), MESSAGE; STATUS(status),
     tv_mpi_received(&call, rc, status))
CALL(Sendrecv, BLOCKING,
     (const void *buf, int count, MPI_Datatype type, int peer, int tag, void *to, int tocount,
      MPI_Datatype totype, int source, int totag, MPI_Comm comm, MPI_Status *status),
     (buf, count, type, peer, tag, to, tocount, totype, source, totag, comm, status),
     MESSAGE; IS_SEND; STATUS(status), tv_mpi_received(&call, rc, status))
CALL(Sendrecv_replace, BLOCKING,
     (void *buf, int count, MPI_Datatype type, int peer, int tag, int source, int totag,
      MPI_Comm comm, MPI_Status *status),
     (buf, count, type, peer, tag, source, totag, comm, status), MESSAGE; IS_SEND; STATUS(status),
     tv_mpi_received(&call, rc, status))
CALL(Isend, START, REQUEST_PARAMETERS, SEND_REQUEST, MESSAGE, STARTED(SEND))
CALL(Issend, START, REQUEST_PARAMETERS, SEND_REQUEST, MESSAGE, STARTED(SEND))
CALL(Irsend, START, REQUEST_PARAMETERS, SEND_REQUEST, MESSAGE, STARTED(SEND))
CALL(Ibsend, START, REQUEST_PARAMETERS, SEND_REQUEST, MESSAGE, STARTED(SEND))
CALL(Irecv, START, BUFFER_PARAMETERS, SEND_REQUEST, MESSAGE, STARTED(RECEIVE))
CALL(Send_init, OTHER, REQUEST_PARAMETERS, SEND_REQUEST, MESSAGE, CREATED(SEND))
CALL(Ssend_init, OTHER, REQUEST_PARAMETERS, SEND_REQUEST, MESSAGE, CREATED(SEND))
CALL(Rsend_init, OTHER, REQUEST_PARAMETERS, SEND_REQUEST, MESSAGE, CREATED(SEND))
CALL(Bsend_init, OTHER, REQUEST_PARAMETERS, SEND_REQUEST, MESSAGE, CREATED(SEND))
CALL(Recv_init, OTHER, BUFFER_PARAMETERS, SEND_REQUEST, MESSAGE, CREATED(RECEIVE))
CALL(Start, START, (MPI_Request * request), (request), WAITED(1, request), RESTARTED)
CALL(Startall, START, (int count, MPI_Request *request), (count, request), WAITED(count, request),
     RESTARTED)
CALL(Probe, BLOCKING, (int peer, int tag, MPI_Comm comm, MPI_Status *status),
     (peer, tag, comm, status), tv_mpi_message(&call, comm, peer, tag, TV_LOG_MPI_MISSING), )
CALL(Iprobe, TEST, (int peer, int tag, MPI_Comm comm, int *flag, MPI_Status *status),
     (peer, tag, comm, flag, status), tv_mpi_message(&call, comm, peer, tag, TV_LOG_MPI_MISSING), )
CALL(Mprobe, BLOCKING,
     (int peer, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status),
     (peer, tag, comm, message, status),
     tv_mpi_message(&call, comm, peer, tag, TV_LOG_MPI_MISSING),
     if (rc == MPI_SUCCESS) tv_mpi_probed(&call, message))
CALL(Improbe, TEST,
     (int peer, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status),
     (peer, tag, comm, flag, message, status),
     tv_mpi_message(&call, comm, peer, tag, TV_LOG_MPI_MISSING),
     if (rc == MPI_SUCCESS && *flag) tv_mpi_probed(&call, message))
CALL(Mrecv, BLOCKING,
     (void *buf, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status),
     (buf, count, type, message, status),
     tv_mpi_take(&call, message); call.bytes = tv_mpi_bytes(count, type); STATUS(status),
     tv_mpi_received(&call, rc, status))
CALL(Imrecv, START,
     (void *buf, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *request),
     (buf, count, type, message, request),
     tv_mpi_take(&call, message); call.bytes = tv_mpi_bytes(count, type), STARTED(RECEIVE))

/* ---- requests ---- */

CALL(Wait, WAIT, (MPI_Request * request, MPI_Status *status), (request, status),
     WAITED(1, request); STATUS(status), ALL_DONE(1, status))
CALL(Waitall, WAIT, (int count, MPI_Request *request, MPI_Status *status), (count, request, status),
     WAITED(count, request); STATUSES(count, status), ALL_DONE(1, status))
CALL(Waitany, WAIT, (int count, MPI_Request *request, int *index, MPI_Status *status),
     (count, request, index, status), WAITED(count, request); STATUS(status), ONE_DONE(1))
CALL(Waitsome, WAIT, (int n, MPI_Request *request, int *count, int *index, MPI_Status *status),
     (n, request, count, index, status), WAITED(n, request); STATUSES(n, status), SOME_DONE)
CALL(Test, TEST, (MPI_Request * request, int *flag, MPI_Status *status), (request, flag, status),
     WAITED(1, request); STATUS(status), ALL_DONE(*flag, status))
CALL(Testall, TEST, (int count, MPI_Request *request, int *flag, MPI_Status *status),
     (count, request, flag, status), WAITED(count, request); STATUSES(count, status),
     ALL_DONE(*flag, status))
CALL(Testany, TEST, (int count, MPI_Request *request, int *index, int *flag, MPI_Status *status),
     (count, request, index, flag, status), WAITED(count, request); STATUS(status),
     ONE_DONE(*flag))
CALL(Testsome, TEST, (int n, MPI_Request *request, int *count, int *index, MPI_Status *status),
     (n, request, count, index, status), WAITED(n, request); STATUSES(n, status), SOME_DONE)
CALL(Request_get_status, TEST, (MPI_Request request, int *flag, MPI_Status *status),
     (request, flag, status), WAITED(1, &request), LISTED)
CALL(Request_free, OTHER, (MPI_Request * request), (request), WAITED(1, request), FREED)
CALL(Cancel, OTHER, (MPI_Request * request), (request), WAITED(1, request), LISTED)

/* ---- collective operations: COLLECTIVE(root, op, bytes) ---- */

/* One with its nonblocking counterpart. */
#define ARGUMENTS(...) __VA_ARGS__
#define BOTH(name, iname, parameters, arguments, ...) \
	CALL(name, BLOCKING, parameters, arguments, COLLECTIVE(__VA_ARGS__), ) \
	CALL(iname, START, (ARGUMENTS parameters, MPI_Request * request), \
	     (ARGUMENTS arguments, request), COLLECTIVE(__VA_ARGS__), STARTED(OTHER))

/* What is sent, but in place: then what is received. */
#define OWN(buf, count, type, tocount, totype) \
	((buf) == MPI_IN_PLACE ? tv_mpi_bytes(tocount, totype) : tv_mpi_bytes(count, type))

BOTH(Barrier, Ibarrier, (MPI_Comm comm), (comm), NO_ROOT, NO_OP, TV_LOG_MPI_MISSING)
BOTH(Bcast, Ibcast, (void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm),
     (buf, count, type, root, comm), root, NO_OP, tv_mpi_bytes(count, type))
BOTH(Gather, Igather,
     (const void *buf, int count, MPI_Datatype type, void *to, int tocount, MPI_Datatype totype,
      int root, MPI_Comm comm),
     (buf, count, type, to, tocount, totype, root, comm), root, NO_OP,
     OWN(buf, count, type, tocount, totype))
BOTH(Gatherv, Igatherv,
     (const void *buf, int count, MPI_Datatype type, void *to, const int *tocount,
      const int *displacement, MPI_Datatype totype, int root, MPI_Comm comm),
     (buf, count, type, to, tocount, displacement, totype, root, comm), root, NO_OP,
     buf == MPI_IN_PLACE ? tv_mpi_own(comm, tocount, totype) : tv_mpi_bytes(count, type))
BOTH(Scatter, Iscatter,
     (const void *buf, int count, MPI_Datatype type, void *to, int tocount, MPI_Datatype totype,
      int root, MPI_Comm comm),
     (buf, count, type, to, tocount, totype, root, comm), root, NO_OP,
     OWN(to, tocount, totype, count, type))
BOTH(Scatterv, Iscatterv,
     (const void *buf, const int *count, const int *displacement, MPI_Datatype type, void *to,
      int tocount, MPI_Datatype totype, int root, MPI_Comm comm),
     (buf, count, displacement, type, to, tocount, totype, root, comm), root, NO_OP,
     to == MPI_IN_PLACE ? tv_mpi_own(comm, count, type) : tv_mpi_bytes(tocount, totype))
BOTH(Allgather, Iallgather,
     (const void *buf, int count, MPI_Datatype type, void *to, int tocount, MPI_Datatype totype,
      MPI_Comm comm),
     (buf, count, type, to, tocount, totype, comm), NO_ROOT, NO_OP,
     OWN(buf, count, type, tocount, totype))
BOTH(Allgatherv, Iallgatherv,
     (const void *buf, int count, MPI_Datatype type, void *to, const int *tocount,
      const int *displacement, MPI_Datatype totype, MPI_Comm comm),
     (buf, count, type, to, tocount, displacement, totype, comm), NO_ROOT, NO_OP,
     buf == MPI_IN_PLACE ? tv_mpi_own(comm, tocount, totype) : tv_mpi_bytes(count, type))
BOTH(Alltoall, Ialltoall,
     (const void *buf, int count, MPI_Datatype type, void *to, int tocount, MPI_Datatype totype,
      MPI_Comm comm),
     (buf, count, type, to, tocount, totype, comm), NO_ROOT, NO_OP,
     tv_mpi_peers(comm) * OWN(buf, count, type, tocount, totype))
BOTH(Alltoallv, Ialltoallv,
     (const void *buf, const int *count, const int *displacement, MPI_Datatype type, void *to,
      const int *tocount, const int *todisplacement, MPI_Datatype totype, MPI_Comm comm),
     (buf, count, displacement, type, to, tocount, todisplacement, totype, comm), NO_ROOT, NO_OP,
     buf == MPI_IN_PLACE ? tv_mpi_sum(comm, tocount, totype) : tv_mpi_sum(comm, count, type))
BOTH(Alltoallw, Ialltoallw,
     (const void *buf, const int *count, const int *displacement, const MPI_Datatype *type, void *to,
      const int *tocount, const int *todisplacement, const MPI_Datatype *totype, MPI_Comm comm),
     (buf, count, displacement, type, to, tocount, todisplacement, totype, comm), NO_ROOT, NO_OP,
     buf == MPI_IN_PLACE ? tv_mpi_sums(comm, tocount, totype) : tv_mpi_sums(comm, count, type))
BOTH(Reduce, Ireduce,
     (const void *buf, void *to, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),
     (buf, to, count, type, op, root, comm), root, op, tv_mpi_bytes(count, type))
BOTH(Allreduce, Iallreduce,
     (const void *buf, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
     (buf, to, count, type, op, comm), NO_ROOT, op, tv_mpi_bytes(count, type))
BOTH(Reduce_scatter, Ireduce_scatter,
     (const void *buf, void *to, const int *count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
     (buf, to, count, type, op, comm), NO_ROOT, op, tv_mpi_sum(comm, count, type))
BOTH(Reduce_scatter_block, Ireduce_scatter_block,
     (const void *buf, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
     (buf, to, count, type, op, comm), NO_ROOT, op, tv_mpi_peers(comm) * tv_mpi_bytes(count, type))
BOTH(Scan, Iscan,
     (const void *buf, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
     (buf, to, count, type, op, comm), NO_ROOT, op, tv_mpi_bytes(count, type))
BOTH(Exscan, Iexscan,
     (const void *buf, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
     (buf, to, count, type, op, comm), NO_ROOT, op, tv_mpi_bytes(count, type))
/* Who has how many neighbors is not asked for, so the bytes are missing where it matters. */
BOTH(Neighbor_allgather, Ineighbor_allgather,
     (const void *buf, int count, MPI_Datatype type, void *to, int tocount, MPI_Datatype totype,
      MPI_Comm comm),
     (buf, count, type, to, tocount, totype, comm), NO_ROOT, NO_OP, tv_mpi_bytes(count, type))
BOTH(Neighbor_allgatherv, Ineighbor_allgatherv,
     (const void *buf, int count, MPI_Datatype type, void *to, const int *tocount,
      const int *displacement, MPI_Datatype totype, MPI_Comm comm),
     (buf, count, type, to, tocount, displacement, totype, comm), NO_ROOT, NO_OP,
     tv_mpi_bytes(count, type))
BOTH(Neighbor_alltoall, Ineighbor_alltoall,
     (const void *buf, int count, MPI_Datatype type, void *to, int tocount, MPI_Datatype totype,
      MPI_Comm comm),
     (buf, count, type, to, tocount, totype, comm), NO_ROOT, NO_OP, TV_LOG_MPI_MISSING)
BOTH(Neighbor_alltoallv, Ineighbor_alltoallv,
     (const void *buf, const int *count, const int *displacement, MPI_Datatype type, void *to,
      const int *tocount, const int *todisplacement, MPI_Datatype totype, MPI_Comm comm),
     (buf, count, displacement, type, to, tocount, todisplacement, totype, comm), NO_ROOT, NO_OP,
     TV_LOG_MPI_MISSING)
BOTH(Neighbor_alltoallw, Ineighbor_alltoallw,
     (const void *buf, const int *count, const MPI_Aint *displacement, const MPI_Datatype *type,
      void *to, const int *tocount, const MPI_Aint *todisplacement, const MPI_Datatype *totype,
      MPI_Comm comm),
     (buf, count, displacement, type, to, tocount, todisplacement, totype, comm), NO_ROOT, NO_OP,
     TV_LOG_MPI_MISSING)

/* ---- the process, communicators ---- */

CALL(Init, OTHER, (int *argc, char ***argv), (argc, argv), , tv_mpi_world_begin(&call, rc))
CALL(Init_thread, OTHER, (int *argc, char ***argv, int required, int *provided),
     (argc, argv, required, provided), , tv_mpi_world_begin(&call, rc))
CALL(Finalize, OTHER, (void), (), tv_mpi_world_end(), )
CALL(Abort, OTHER, (MPI_Comm comm, int code), (comm, code), call.comm = tv_mpi_comm(comm), )
CALL(Comm_dup, OTHER, (MPI_Comm comm, MPI_Comm *created), (comm, created), OF_ALL, NEW_COMM(false))
CALL(Comm_dup_with_info, OTHER, (MPI_Comm comm, MPI_Info info, MPI_Comm *created),
     (comm, info, created), OF_ALL, NEW_COMM(false))
CALL(Comm_idup, START, (MPI_Comm comm, MPI_Comm *created, MPI_Request *request),
     (comm, created, request), OF_ALL, STARTED(OTHER))
CALL(Comm_split, OTHER, (MPI_Comm comm, int color, int key, MPI_Comm *created),
     (comm, color, key, created), OF_ALL, NEW_COMM(true))
CALL(Comm_split_type, OTHER, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *created),
     (comm, type, key, info, created), OF_ALL, NEW_COMM(true))
CALL(Comm_create, OTHER, (MPI_Comm comm, MPI_Group group, MPI_Comm *created),
     (comm, group, created), OF_ALL, NEW_COMM(true))
CALL(Comm_create_group, OTHER, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *created),
     (comm, group, tag, created), call.comm = tv_mpi_comm(comm), )
CALL(Cart_create, OTHER,
     (MPI_Comm comm, int n, const int *size, const int *period, int reorder, MPI_Comm *created),
     (comm, n, size, period, reorder, created), OF_ALL, NEW_COMM(false))
CALL(Cart_sub, OTHER, (MPI_Comm comm, const int *kept, MPI_Comm *created), (comm, kept, created),
     OF_ALL, NEW_COMM(true))
CALL(Graph_create, OTHER,
     (MPI_Comm comm, int n, const int *index, const int *edge, int reorder, MPI_Comm *created),
     (comm, n, index, edge, reorder, created), OF_ALL, NEW_COMM(false))
CALL(Dist_graph_create, OTHER,
     (MPI_Comm comm, int n, const int *source, const int *degree, const int *to, const int *weight,
      MPI_Info info, int reorder, MPI_Comm *created),
     (comm, n, source, degree, to, weight, info, reorder, created), OF_ALL, NEW_COMM(false))
CALL(Dist_graph_create_adjacent, OTHER,
     (MPI_Comm comm, int n, const int *source, const int *weight, int m, const int *to,
      const int *toweight, MPI_Info info, int reorder, MPI_Comm *created),
     (comm, n, source, weight, m, to, toweight, info, reorder, created), OF_ALL, NEW_COMM(false))
CALL(Intercomm_create, OTHER,
     (MPI_Comm comm, int leader, MPI_Comm bridge, int remote, int tag, MPI_Comm *created),
     (comm, leader, bridge, remote, tag, created), OF_ALL, )
CALL(Intercomm_merge, OTHER, (MPI_Comm comm, int high, MPI_Comm *created), (comm, high, created),
     OF_ALL, NEW_COMM(false))
CALL(Comm_spawn, OTHER,
     (const char *command, char **argv, int n, MPI_Info info, int root, MPI_Comm comm,
      MPI_Comm *created, int *code),
     (command, argv, n, info, root, comm, created, code), COLLECTIVE(root, NO_OP, TV_LOG_MPI_MISSING), )
CALL(Comm_spawn_multiple, OTHER,
     (int n, char **command, char ***argv, const int *processes, const MPI_Info *info, int root,
      MPI_Comm comm, MPI_Comm *created, int *code),
     (n, command, argv, processes, info, root, comm, created, code),
     COLLECTIVE(root, NO_OP, TV_LOG_MPI_MISSING), )
CALL(Comm_accept, OTHER,
     (const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *created),
     (port, info, root, comm, created), COLLECTIVE(root, NO_OP, TV_LOG_MPI_MISSING), )
CALL(Comm_connect, OTHER,
     (const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *created),
     (port, info, root, comm, created), COLLECTIVE(root, NO_OP, TV_LOG_MPI_MISSING), )
CALL(Comm_free, OTHER, (MPI_Comm * comm), (comm), OLD_COMM, )
CALL(Comm_disconnect, OTHER, (MPI_Comm * comm), (comm), OLD_COMM, )

/* ---- windows of memory ---- */

#define PUT_PARAMETERS \
	(const void *buf, int count, MPI_Datatype type, int rank, MPI_Aint at, int tocount, \
	 MPI_Datatype totype, MPI_Win win)
#define GET_PARAMETERS \
	(void *buf, int count, MPI_Datatype type, int rank, MPI_Aint at, int tocount, \
	 MPI_Datatype totype, MPI_Win win)
#define PUT_ARGUMENTS (buf, count, type, rank, at, tocount, totype, win)
#define BYTES	      call.bytes = tv_mpi_bytes(count, type)
#define WITH_REQUEST(name, rname, parameters, arguments) \
	CALL(name, OTHER, parameters, arguments, BYTES, ) \
	CALL(rname, START, (ARGUMENTS parameters, MPI_Request * request), \
	     (ARGUMENTS arguments, request), BYTES, STARTED(OTHER))

WITH_REQUEST(Put, Rput, PUT_PARAMETERS, PUT_ARGUMENTS)
WITH_REQUEST(Get, Rget, GET_PARAMETERS, PUT_ARGUMENTS)
WITH_REQUEST(Accumulate, Raccumulate,
	     (const void *buf, int count, MPI_Datatype type, int rank, MPI_Aint at, int tocount,
	      MPI_Datatype totype, MPI_Op op, MPI_Win win),
	     (buf, count, type, rank, at, tocount, totype, op, win))
WITH_REQUEST(Get_accumulate, Rget_accumulate,
	     (const void *buf, int count, MPI_Datatype type, void *result, int rcount,
	      MPI_Datatype rtype, int rank, MPI_Aint at, int tocount, MPI_Datatype totype, MPI_Op op,
	      MPI_Win win),
	     (buf, count, type, result, rcount, rtype, rank, at, tocount, totype, op, win))
CALL(Fetch_and_op, OTHER,
     (const void *buf, void *result, MPI_Datatype type, int rank, MPI_Aint at, MPI_Op op,
      MPI_Win win),
     (buf, result, type, rank, at, op, win), call.bytes = tv_mpi_bytes(1, type), )
CALL(Compare_and_swap, OTHER,
     (const void *buf, const void *compare, void *result, MPI_Datatype type, int rank, MPI_Aint at,
      MPI_Win win),
     (buf, compare, result, type, rank, at, win), call.bytes = tv_mpi_bytes(1, type), )
CALL(Win_create, OTHER,
     (void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *win),
     (base, size, unit, info, comm, win), OF_ALL, )
CALL(Win_create_dynamic, OTHER, (MPI_Info info, MPI_Comm comm, MPI_Win *win), (info, comm, win),
     OF_ALL, )
CALL(Win_allocate, OTHER,
     (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win),
     (size, unit, info, comm, base, win), OF_ALL, )
CALL(Win_allocate_shared, OTHER,
     (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win),
     (size, unit, info, comm, base, win), OF_ALL, )
CALL(Win_free, OTHER, (MPI_Win * win), (win), , )
CALL(Win_fence, BLOCKING, (int assert, MPI_Win win), (assert, win), , )
CALL(Win_post, OTHER, (MPI_Group group, int assert, MPI_Win win), (group, assert, win), , )
CALL(Win_start, OTHER, (MPI_Group group, int assert, MPI_Win win), (group, assert, win), , )
CALL(Win_complete, BLOCKING, (MPI_Win win), (win), , )
CALL(Win_wait, BLOCKING, (MPI_Win win), (win), , )
CALL(Win_test, TEST, (MPI_Win win, int *flag), (win, flag), , )
CALL(Win_lock, BLOCKING, (int type, int rank, int assert, MPI_Win win), (type, rank, assert, win), , )
CALL(Win_lock_all, BLOCKING, (int assert, MPI_Win win), (assert, win), , )
CALL(Win_unlock, BLOCKING, (int rank, MPI_Win win), (rank, win), , )
CALL(Win_unlock_all, BLOCKING, (MPI_Win win), (win), , )
CALL(Win_flush, BLOCKING, (int rank, MPI_Win win), (rank, win), , )
CALL(Win_flush_local, BLOCKING, (int rank, MPI_Win win), (rank, win), , )
CALL(Win_flush_all, BLOCKING, (MPI_Win win), (win), , )
CALL(Win_flush_local_all, BLOCKING, (MPI_Win win), (win), , )
CALL(Win_sync, OTHER, (MPI_Win win), (win), , )

/* ---- files ---- */

#define FILE_CALL(name, access) \
	CALL(name, OTHER, (MPI_File file, access *buf, int count, MPI_Datatype type, MPI_Status *status), \
	     (file, buf, count, type, status), BYTES, )
#define FILE_CALL_AT(name, access) \
	CALL(name, OTHER, \
	     (MPI_File file, MPI_Offset at, access *buf, int count, MPI_Datatype type, \
	      MPI_Status *status), \
	     (file, at, buf, count, type, status), BYTES, )
#define FILE_START(name, access) \
	CALL(name, START, \
	     (MPI_File file, access *buf, int count, MPI_Datatype type, MPI_Request *request), \
	     (file, buf, count, type, request), BYTES, STARTED(OTHER))
#define FILE_START_AT(name, access) \
	CALL(name, START, \
	     (MPI_File file, MPI_Offset at, access *buf, int count, MPI_Datatype type, \
	      MPI_Request *request), \
	     (file, at, buf, count, type, request), BYTES, STARTED(OTHER))

CALL(File_open, OTHER,
     (MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file),
     (comm, name, mode, info, file), OF_ALL, )
CALL(File_close, OTHER, (MPI_File * file), (file), , )
CALL(File_sync, OTHER, (MPI_File file), (file), , )
CALL(File_set_size, OTHER, (MPI_File file, MPI_Offset size), (file, size), , )
CALL(File_preallocate, OTHER, (MPI_File file, MPI_Offset size), (file, size), , )
CALL(File_set_view, OTHER,
     (MPI_File file, MPI_Offset at, MPI_Datatype type, MPI_Datatype layout, const char *format,
      MPI_Info info),
     (file, at, type, layout, format, info), , )
FILE_CALL(File_read, void)
FILE_CALL(File_read_all, void)
FILE_CALL(File_read_shared, void)
FILE_CALL(File_read_ordered, void)
FILE_CALL(File_write, const void)
FILE_CALL(File_write_all, const void)
FILE_CALL(File_write_shared, const void)
FILE_CALL(File_write_ordered, const void)
FILE_CALL_AT(File_read_at, void)
FILE_CALL_AT(File_read_at_all, void)
FILE_CALL_AT(File_write_at, const void)
FILE_CALL_AT(File_write_at_all, const void)
FILE_START(File_iread, void)
FILE_START(File_iread_all, void)
FILE_START(File_iread_shared, void)
FILE_START(File_iwrite, const void)
FILE_START(File_iwrite_all, const void)
FILE_START(File_iwrite_shared, const void)
FILE_START_AT(File_iread_at, void)
FILE_START_AT(File_iread_at_all, void)
FILE_START_AT(File_iwrite_at, const void)
FILE_START_AT(File_iwrite_at_all, const void)
/* clang-format on */
