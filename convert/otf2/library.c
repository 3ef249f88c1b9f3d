/* SPDX-License-Identifier: GPL-3.0-or-later */
/* library.c -- an archive of OTF2 as a stream of records. */
#include "convert/otf2/library.h"

#ifdef TV_HAVE_OTF2

#include <otf2/otf2.h>
#include <string.h>

#include "trace/alloc.h"

const bool tv_otf2_is_built = true;

/* Callbacks have the parameters that the library gives them. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* Events that are only counted: what they are for others tell. */
#define UNREAD_EVENTS(EVENT) /* EVENT(name, parameters behind those of all events) */ \
	EVENT(OmpFork, NONE, uint32_t threads) \
	EVENT(OmpAcquireLock, NONE, uint32_t lock, uint32_t order) \
	EVENT(OmpReleaseLock, NONE, uint32_t lock, uint32_t order) \
	EVENT(ParameterString, NONE, OTF2_ParameterRef parameter, OTF2_StringRef string) \
	EVENT(ParameterInt, NONE, OTF2_ParameterRef parameter, int64_t value) \
	EVENT(ParameterUnsignedInt, NONE, OTF2_ParameterRef parameter, uint64_t value) \
	EVENT(RmaWinCreate, NONE, OTF2_RmaWinRef win) \
	EVENT(RmaWinDestroy, NONE, OTF2_RmaWinRef win) \
	EVENT(RmaCollectiveEnd, NONE, OTF2_CollectiveOp op, OTF2_RmaSyncLevel level, \
	      OTF2_RmaWinRef win, uint32_t root, uint64_t sent, uint64_t received) \
	EVENT(RmaGroupSync, NONE, OTF2_RmaSyncLevel level, OTF2_RmaWinRef win, \
	      OTF2_GroupRef group) \
	EVENT(RmaRequestLock, NONE, OTF2_RmaWinRef win, uint32_t remote, uint64_t lock, \
	      OTF2_LockType type) \
	EVENT(RmaAcquireLock, NONE, OTF2_RmaWinRef win, uint32_t remote, uint64_t lock, \
	      OTF2_LockType type) \
	EVENT(RmaTryLock, NONE, OTF2_RmaWinRef win, uint32_t remote, uint64_t lock, \
	      OTF2_LockType type) \
	EVENT(RmaReleaseLock, NONE, OTF2_RmaWinRef win, uint32_t remote, uint64_t lock) \
	EVENT(RmaSync, NONE, OTF2_RmaWinRef win, uint32_t remote, OTF2_RmaSyncType type) \
	EVENT(RmaWaitChange, NONE, OTF2_RmaWinRef win) \
	EVENT(RmaOpTest, NONE, OTF2_RmaWinRef win, uint64_t id) \
	EVENT(ThreadFork, NONE, OTF2_Paradigm model, uint32_t threads) \
	EVENT(ThreadJoin, NONE, OTF2_Paradigm model) \
	EVENT(ThreadTeamBegin, NONE, OTF2_CommRef team) \
	EVENT(ThreadTeamEnd, NONE, OTF2_CommRef team) \
	EVENT(ThreadAcquireLock, NONE, OTF2_Paradigm model, uint32_t lock, uint32_t order) \
	EVENT(ThreadReleaseLock, NONE, OTF2_Paradigm model, uint32_t lock, uint32_t order) \
	EVENT(ThreadCreate, NONE, OTF2_CommRef contingent, uint64_t count) \
	EVENT(ThreadBegin, NONE, OTF2_CommRef contingent, uint64_t count) \
	EVENT(ThreadWait, NONE, OTF2_CommRef contingent, uint64_t count) \
	EVENT(ThreadEnd, NONE, OTF2_CommRef contingent, uint64_t count) \
	EVENT(IoCreateHandle, NONE, OTF2_IoHandleRef handle, OTF2_IoAccessMode mode, \
	      OTF2_IoCreationFlag creation, OTF2_IoStatusFlag status) \
	EVENT(IoDestroyHandle, NONE, OTF2_IoHandleRef handle) \
	EVENT(IoDuplicateHandle, NONE, OTF2_IoHandleRef old, OTF2_IoHandleRef new, \
	      OTF2_IoStatusFlag status) \
	EVENT(IoSeek, NONE, OTF2_IoHandleRef handle, int64_t offset, OTF2_IoSeekOption option, \
	      uint64_t result) \
	EVENT(IoChangeStatusFlags, NONE, OTF2_IoHandleRef handle, OTF2_IoStatusFlag status) \
	EVENT(IoDeleteFile, NONE, OTF2_IoParadigmRef paradigm, OTF2_IoFileRef file) \
	EVENT(IoOperationTest, NONE, OTF2_IoHandleRef handle, uint64_t id) \
	EVENT(IoOperationIssued, NONE, OTF2_IoHandleRef handle, uint64_t id) \
	EVENT(IoOperationCancelled, NONE, OTF2_IoHandleRef handle, uint64_t id) \
	EVENT(IoAcquireLock, NONE, OTF2_IoHandleRef handle, OTF2_LockType type) \
	EVENT(IoReleaseLock, NONE, OTF2_IoHandleRef handle, OTF2_LockType type) \
	EVENT(IoTryLock, NONE, OTF2_IoHandleRef handle, OTF2_LockType type) \
	EVENT(ProgramBegin, NONE, OTF2_StringRef name, uint32_t n, \
	      const OTF2_StringRef *arguments) \
	EVENT(ProgramEnd, NONE, int64_t status) \
	EVENT(CommCreate, NONE, OTF2_CommRef comm) \
	EVENT(CommDestroy, NONE, OTF2_CommRef comm) \
	EVENT(OmpJoin, NONE) \
	EVENT(MpiCollectiveBegin, NONE) EVENT(RmaCollectiveBegin, NONE) EVENT(Unknown, NONE)
#define NONE OTF2_AttributeList *attributes

enum { MEMBERS_MAX = 1 << 23 }; /* of a group */

enum unread {
#define UNREAD_SYMBOL(name, ...) UNREAD_##name,
	UNREAD_EVENTS(UNREAD_SYMBOL)
#undef UNREAD_SYMBOL
		NUNREAD
};

enum { BUFFER = 1 << 16 };

struct sender {
	FILE *to;
	uint64_t time; /* of the last event */
	uint8_t buffer[BUFFER];
	size_t filled;
	uint64_t *location; /* references of all locations */
	size_t n, cap;
	uint64_t unread[NUNREAD];
	char failure[256];   /* the first of the library */
	OTF2_ErrorCode code; /* of it */
};

static bool send_buffer(struct sender *s)
{
	size_t n = s->filled;

	s->filled = 0;
	return fwrite_unlocked(s->buffer, 1, n, s->to) == n;
}

static OTF2_CallbackCode send_more(struct sender *s, enum tv_otf2_kind kind, uint64_t time,
				   const uint64_t *arg, uint32_t nargs, const void *more,
				   size_t bytes)
{
	struct tv_otf2_record record = { .kind = (uint16_t)kind,
					 .nargs = (uint16_t)nargs,
					 .bytes = (uint32_t)bytes,
					 .time = time };

	memcpy(record.arg, arg, nargs * sizeof *arg);
	s->filled += tv_otf2_pack(&record, &s->time, s->buffer + s->filled);
	if (bytes == 0 && s->filled <= BUFFER - TV_OTF2_PACKED_MAX)
		return OTF2_CALLBACK_SUCCESS;
	/* Nobody reads what is sent any more: the parent has ended, and with it this child. */
	if (!send_buffer(s) || (bytes > 0 && fwrite_unlocked(more, bytes, 1, s->to) != 1))
		return OTF2_CALLBACK_INTERRUPT;
	return OTF2_CALLBACK_SUCCESS;
}

#define ARGS(...) \
	(const uint64_t[]){ __VA_ARGS__ }, \
		sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t)
#define SEND(s, kind, time, ...) send_more((s), (kind), (time), __VA_ARGS__, NULL, 0)

/* place: of a location, plus one; 0 = of the archive. */
static void send_lost(struct sender *s, size_t place)
{
	send_more(s, TV_OTF2_LOST, 0, ARGS(place), s->failure, strlen(s->failure));
}

/* ---- definitions ---- */

#define DEFINITIONS(DEFINITION) /* DEFINITION(name, kind, what is sent, parameters) */ \
	DEFINITION(ClockProperties, CLOCK, ARGS(resolution, offset), uint64_t resolution, \
		   uint64_t offset, uint64_t length, uint64_t realtime) \
	DEFINITION(LocationGroup, PROCESS, \
		   ARGS(self, name, type == OTF2_LOCATION_GROUP_TYPE_ACCELERATOR, node, creator), \
		   OTF2_LocationGroupRef self, OTF2_StringRef name, OTF2_LocationGroupType type, \
		   OTF2_SystemTreeNodeRef node, OTF2_LocationGroupRef creator) \
	DEFINITION(Region, REGION, ARGS(self, name, role, paradigm, file, line), \
		   OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef canonical, \
		   OTF2_StringRef description, OTF2_RegionRole role, OTF2_Paradigm paradigm, \
		   OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t line, uint32_t last) \
	DEFINITION(Comm, COMM, ARGS(self, name, group, OTF2_UNDEFINED_GROUP), OTF2_CommRef self, \
		   OTF2_StringRef name, OTF2_GroupRef group, OTF2_CommRef parent, \
		   OTF2_CommFlag flags) \
	DEFINITION(InterComm, COMM, ARGS(self, name, a, b), OTF2_CommRef self, \
		   OTF2_StringRef name, OTF2_GroupRef a, OTF2_GroupRef b, OTF2_CommRef common, \
		   OTF2_CommFlag flags) \
	DEFINITION(Paradigm, PARADIGM, ARGS(self, name), OTF2_Paradigm self, OTF2_StringRef name, \
		   OTF2_ParadigmClass class) \
	DEFINITION(MetricMember, MEMBER, ARGS(self, name, mode, base, (uint64_t)exponent), \
		   OTF2_MetricMemberRef self, OTF2_StringRef name, OTF2_StringRef description, \
		   OTF2_MetricType metric, OTF2_MetricMode mode, OTF2_Type type, OTF2_Base base, \
		   int64_t exponent, OTF2_StringRef unit) \
	DEFINITION(MetricInstance, INSTANCE, ARGS(self, class, recorder, kind, scope), \
		   OTF2_MetricRef self, OTF2_MetricRef class, OTF2_LocationRef recorder, \
		   OTF2_MetricScope kind, uint64_t scope) \
	DEFINITION(RmaWin, WINDOW, ARGS(self, comm), OTF2_RmaWinRef self, OTF2_StringRef name, \
		   OTF2_CommRef comm, OTF2_RmaWinFlag flags) \
	DEFINITION(CallingContext, CONTEXT, ARGS(self, region), OTF2_CallingContextRef self, \
		   OTF2_RegionRef region, OTF2_SourceCodeLocationRef place, \
		   OTF2_CallingContextRef parent)

#define DEFINITION_CALLBACK(name, kind, args, ...) \
	static OTF2_CallbackCode define_##name(void *sender, __VA_ARGS__) \
	{ \
		return SEND(sender, TV_OTF2_##kind, 0, args); \
	}
DEFINITIONS(DEFINITION_CALLBACK)
#undef DEFINITION_CALLBACK

static OTF2_CallbackCode define_String(void *sender, OTF2_StringRef self, const char *string)
{
	return send_more(sender, TV_OTF2_STRING, 0, ARGS(self), string, strlen(string));
}

static OTF2_CallbackCode define_Location(void *sender, OTF2_LocationRef self, OTF2_StringRef name,
					 OTF2_LocationType type, uint64_t events,
					 OTF2_LocationGroupRef group)
{
	struct sender *s = sender;

	TV_GROW(s->location, s->n, s->cap, 1);
	s->location[s->n++] = self;
	return SEND(s, TV_OTF2_LOCATION, 0, ARGS(self, name, type, events, group));
}

static OTF2_CallbackCode define_Group(void *sender, OTF2_GroupRef self, OTF2_StringRef name,
				      OTF2_GroupType type, OTF2_Paradigm paradigm,
				      OTF2_GroupFlag flags, uint32_t n, const uint64_t *members)
{
	if (n > MEMBERS_MAX)
		return OTF2_CALLBACK_ERROR;
	return send_more(sender, TV_OTF2_GROUP, 0, ARGS(self, type, paradigm, flags), members,
			 n * sizeof *members);
}

static OTF2_CallbackCode define_MetricClass(void *sender, OTF2_MetricRef self, uint8_t n,
					    const OTF2_MetricMemberRef *members,
					    OTF2_MetricOccurrence occurrence,
					    OTF2_RecorderKind recorder)
{
	uint64_t member[UINT8_MAX];

	for (unsigned i = 0; i < n; i++)
		member[i] = members[i];
	return send_more(sender, TV_OTF2_CLASS, 0, ARGS(self), member, n * sizeof *member);
}

static void read_definitions(struct sender *s, OTF2_Reader *reader)
{
	OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
	uint64_t n;

#define REGISTER(name, ...) \
	OTF2_GlobalDefReaderCallbacks_Set##name##Callback(callbacks, define_##name);
	DEFINITIONS(REGISTER)
	REGISTER(String, )
	REGISTER(Location, )
	REGISTER(Group, )
	REGISTER(MetricClass, )
#undef REGISTER
	OTF2_Reader_RegisterGlobalDefCallbacks(reader, OTF2_Reader_GetGlobalDefReader(reader),
					       callbacks, s);
	OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
	if (OTF2_Reader_ReadAllGlobalDefinitions(reader, OTF2_Reader_GetGlobalDefReader(reader), &n)
		    != OTF2_SUCCESS
	    && s->n > 0)
		send_lost(s, 0);
}

/* ---- events ---- */

#define PEER(rank) uint32_t rank, OTF2_CommRef comm, uint32_t tag, uint64_t bytes
#define TASK	   OTF2_CommRef team, uint32_t thread, uint32_t number
#define RMA	   OTF2_RmaWinRef win, uint32_t remote, uint64_t bytes, uint64_t id
#define RMA_DONE   OTF2_RmaWinRef win, uint64_t id
#define COLLECTIVE \
	OTF2_CollectiveOp op, OTF2_CommRef comm, uint32_t root, uint64_t sent, uint64_t received

#define EVENTS(EVENT) /* EVENT(name, kind, what is sent, parameters) */ \
	EVENT(Enter, ENTER, ARGS(region), OTF2_RegionRef region) \
	EVENT(Leave, LEAVE, ARGS(region), OTF2_RegionRef region) \
	EVENT(CallingContextEnter, ENTER_CONTEXT, ARGS(context), OTF2_CallingContextRef context, \
	      uint32_t distance) \
	EVENT(CallingContextLeave, LEAVE_CONTEXT, ARGS(context), OTF2_CallingContextRef context) \
	EVENT(CallingContextSample, SAMPLE, ARGS(context), OTF2_CallingContextRef context, \
	      uint32_t distance, OTF2_InterruptGeneratorRef generator) \
	EVENT(BufferFlush, FLUSH, ARGS(stop), OTF2_TimeStamp stop) \
	EVENT(MeasurementOnOff, ON_OFF, ARGS(mode), OTF2_MeasurementMode mode) \
	EVENT(MpiSend, SEND, ARGS(to, comm, tag, bytes), PEER(to)) \
	EVENT(MpiIsend, ISEND, ARGS(to, comm, tag, bytes, request), PEER(to), uint64_t request) \
	EVENT(MpiIsendComplete, SENT, ARGS(request), uint64_t request) \
	EVENT(MpiIrecvRequest, POSTED, ARGS(request), uint64_t request) \
	EVENT(MpiRecv, RECEIVE, ARGS(from, comm, tag, bytes), PEER(from)) \
	EVENT(MpiIrecv, IRECEIVE, ARGS(from, comm, tag, bytes, request), PEER(from), \
	      uint64_t request) \
	EVENT(MpiRequestTest, TESTED, ARGS(request), uint64_t request) \
	EVENT(MpiRequestCancelled, CANCELLED, ARGS(request), uint64_t request) \
	EVENT(MpiCollectiveEnd, COLLECTIVE, ARGS(op, comm, root, sent, received), COLLECTIVE) \
	EVENT(NonBlockingCollectiveRequest, COLLECTIVE_POSTED, ARGS(request), uint64_t request) \
	EVENT(NonBlockingCollectiveComplete, COLLECTIVE_DONE, \
	      ARGS(op, comm, root, sent, received, request), COLLECTIVE, uint64_t request) \
	EVENT(ThreadTaskCreate, TASK_CREATE, ARGS(team, thread, number), TASK) \
	EVENT(ThreadTaskSwitch, TASK_SWITCH, ARGS(team, thread, number), TASK) \
	EVENT(ThreadTaskComplete, TASK_COMPLETE, ARGS(team, thread, number), TASK) \
	EVENT(OmpTaskCreate, OLD_TASK_CREATE, ARGS(number), uint64_t number) \
	EVENT(OmpTaskSwitch, OLD_TASK_SWITCH, ARGS(number), uint64_t number) \
	EVENT(OmpTaskComplete, OLD_TASK_COMPLETE, ARGS(number), uint64_t number) \
	EVENT(RmaPut, PUT, ARGS(win, remote, bytes, id), RMA) \
	EVENT(RmaGet, GET, ARGS(win, remote, bytes, id), RMA) \
	EVENT(RmaAtomic, PUT, ARGS(win, remote, sent, id), OTF2_RmaWinRef win, uint32_t remote, \
	      OTF2_RmaAtomicType type, uint64_t sent, uint64_t received, uint64_t id) \
	EVENT(RmaOpCompleteBlocking, RMA_DONE, ARGS(win, id), RMA_DONE) \
	EVENT(RmaOpCompleteNonBlocking, RMA_DONE, ARGS(win, id), RMA_DONE) \
	EVENT(RmaOpCompleteRemote, RMA_DONE, ARGS(win, id), RMA_DONE) \
	EVENT(IoOperationBegin, IO_BEGIN, ARGS(handle, mode, id), OTF2_IoHandleRef handle, \
	      OTF2_IoOperationMode mode, OTF2_IoOperationFlag flags, uint64_t bytes, uint64_t id) \
	EVENT(IoOperationComplete, IO_DONE, ARGS(handle, bytes, id), OTF2_IoHandleRef handle, \
	      uint64_t bytes, uint64_t id)

#define EVENT_CALLBACK(name, kind, args, ...) \
	static OTF2_CallbackCode on_##name(OTF2_LocationRef location, OTF2_TimeStamp time, \
					   uint64_t position, void *sender, \
					   OTF2_AttributeList *attributes, __VA_ARGS__) \
	{ \
		return SEND(sender, TV_OTF2_##kind, time, args); \
	}
EVENTS(EVENT_CALLBACK)
#undef EVENT_CALLBACK

#define COUNT_CALLBACK(name, ...) \
	static OTF2_CallbackCode on_##name(OTF2_LocationRef location, OTF2_TimeStamp time, \
					   uint64_t position, void *sender, __VA_ARGS__) \
	{ \
		((struct sender *)sender)->unread[UNREAD_##name]++; \
		return OTF2_CALLBACK_SUCCESS; \
	}
UNREAD_EVENTS(COUNT_CALLBACK)
#undef COUNT_CALLBACK
static OTF2_CallbackCode on_Metric(OTF2_LocationRef location, OTF2_TimeStamp time,
				   uint64_t position, void *sender, OTF2_AttributeList *attributes,
				   OTF2_MetricRef metric, uint8_t n, const OTF2_Type *types,
				   const OTF2_MetricValue *values)
{
	uint64_t number[UINT8_MAX + 1] = { 0 };

	/* The values, each behind what it is: 0 unsigned, 1 signed, 2 floating. */
	if (n > UINT8_MAX / 2)
		n = UINT8_MAX / 2;
	for (unsigned i = 0; i < n; i++) {
		number[2 * i] = types[i] == OTF2_TYPE_INT64  ? 1
			      : types[i] == OTF2_TYPE_DOUBLE ? 2
							     : 0;
		number[2 * i + 1] = values[i].unsigned_int;
	}
	return send_more(sender, TV_OTF2_METRIC, time, ARGS(metric), number,
			 2 * n * sizeof *number);
}

static OTF2_EvtReaderCallbacks *event_callbacks(void)
{
	OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();

#define REGISTER(name, ...) OTF2_EvtReaderCallbacks_Set##name##Callback(callbacks, on_##name);
	EVENTS(REGISTER)
	UNREAD_EVENTS(REGISTER)
	REGISTER(Metric, )
#undef REGISTER
	return callbacks;
}

/* They have the numbers that the location uses, and the corrections of its clock. false: it has none. */
static bool read_local_definitions(struct sender *s, OTF2_Reader *reader, size_t i)
{
	OTF2_DefReader *definitions;
	uint64_t n;
	bool failed;

	s->failure[0] = '\0';
	definitions = OTF2_Reader_GetDefReader(reader, s->location[i]);
	failed = definitions == NULL;
	if (!failed) {
		failed = OTF2_Reader_ReadAllLocalDefinitions(reader, definitions, &n)
		      != OTF2_SUCCESS;
		OTF2_Reader_CloseDefReader(reader, definitions);
	} else if (s->code == OTF2_ERROR_ENOENT)
		return false;
	if (failed)
		send_lost(s, i + 1);
	return true;
}

static void read_location(struct sender *s, OTF2_Reader *reader, size_t i,
			  const OTF2_EvtReaderCallbacks *callbacks)
{
	OTF2_EvtReader *events;
	uint64_t n = 0;
	bool failed;

	s->failure[0] = '\0';
	SEND(s, TV_OTF2_BEGIN, 0, ARGS(i));
	send_buffer(s);
	fflush(s->to); /* a sign of life, where files are slow */
	events = OTF2_Reader_GetEvtReader(reader, s->location[i]);
	failed = events == NULL;
	if (events != NULL) {
		OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks, s);
		failed = OTF2_Reader_ReadAllLocalEvents(reader, events, &n) != OTF2_SUCCESS;
		OTF2_Reader_CloseEvtReader(reader, events);
	}
	send_more(s, TV_OTF2_FINISH, 0, ARGS(n, failed), s->failure, strlen(s->failure));
}

static void read_locations(struct sender *s, OTF2_Reader *reader)
{
	OTF2_EvtReaderCallbacks *callbacks = event_callbacks();
	size_t absent = 0, without = 0;

	for (size_t i = 0; i < s->n; i++)
		OTF2_Reader_SelectLocation(reader, s->location[i]);
	OTF2_Reader_OpenDefFiles(reader);
	OTF2_Reader_OpenEvtFiles(reader);
	for (size_t i = 0; i < s->n; i++) {
		if (!read_local_definitions(s, reader, i)) {
			without = i + 1;
			absent++;
		}
		read_location(s, reader, i, callbacks);
	}
	/* Archives without any exist. */
	if (absent > 0 && absent < s->n) {
		snprintf(s->failure, sizeof s->failure, "the file does not exist");
		send_lost(s, without);
	}
#define SEND_UNREAD(name, ...) \
	if (s->unread[UNREAD_##name] > 0) \
		send_more(s, TV_OTF2_UNREAD, 0, ARGS(s->unread[UNREAD_##name]), #name, \
			  strlen(#name));
	UNREAD_EVENTS(SEND_UNREAD)
#undef SEND_UNREAD
}

/* ---- archive ---- */

static OTF2_ErrorCode keep_failure(void *sender, const char *file, uint64_t line,
				   const char *function, OTF2_ErrorCode code, const char *format,
				   va_list list)
{
	struct sender *s = sender;

	if (s->failure[0] == '\0') {
		snprintf(s->failure, sizeof s->failure, "%s", OTF2_Error_GetDescription(code));
		s->code = code;
	}
	return code;
}

void tv_otf2_send(void *path, FILE *to)
{
	struct sender s = { .to = to };
	OTF2_Reader *reader;

	OTF2_Error_RegisterCallback(keep_failure, &s);
	reader = OTF2_Reader_Open(path);
	if (reader != NULL && OTF2_Reader_SetSerialCollectiveCallbacks(reader) == OTF2_SUCCESS) {
		read_definitions(&s, reader);
		if (s.n > 0)
			read_locations(&s, reader);
	}
	/* The process ends: nothing needs to be closed. */
	send_more(&s, TV_OTF2_END, 0, ARGS(reader == NULL || s.n == 0), s.failure,
		  strlen(s.failure));
	send_buffer(&s);
}

#else

const bool tv_otf2_is_built = false;

void tv_otf2_send(void *path, FILE *to)
{
	(void)path;
	(void)to;
}

#endif
