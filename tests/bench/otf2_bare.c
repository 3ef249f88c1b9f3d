/* SPDX-License-Identifier: GPL-3.0-or-later */
/* otf2_bare.c -- counts the enters and leaves of an archive of OTF2, location by location: what its library takes at least. */
#include <inttypes.h>
#include <otf2/otf2.h>
#include <stdio.h>

static uint64_t location[64], n, count;

static OTF2_CallbackCode on_location(void *data, OTF2_LocationRef self, OTF2_StringRef name,
				     OTF2_LocationType type, uint64_t events,
				     OTF2_LocationGroupRef group)
{
	(void)data, (void)name, (void)type, (void)events, (void)group;
	if (n < 64)
		location[n++] = self;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_event(OTF2_LocationRef self, OTF2_TimeStamp time, uint64_t position,
				  void *data, OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
	(void)self, (void)time, (void)position, (void)data, (void)attributes, (void)region;
	count++;
	return OTF2_CALLBACK_SUCCESS;
}

int main(int argc, char **argv)
{
	OTF2_GlobalDefReaderCallbacks *definitions = OTF2_GlobalDefReaderCallbacks_New();
	OTF2_EvtReaderCallbacks *events = OTF2_EvtReaderCallbacks_New();
	OTF2_Reader *reader = argc == 2 ? OTF2_Reader_Open(argv[1]) : NULL;
	uint64_t read;

	if (reader == NULL)
		return 1;
	OTF2_Reader_SetSerialCollectiveCallbacks(reader);
	OTF2_GlobalDefReaderCallbacks_SetLocationCallback(definitions, on_location);
	OTF2_Reader_RegisterGlobalDefCallbacks(reader, OTF2_Reader_GetGlobalDefReader(reader),
					       definitions, NULL);
	OTF2_Reader_ReadAllGlobalDefinitions(reader, OTF2_Reader_GetGlobalDefReader(reader), &read);
	OTF2_EvtReaderCallbacks_SetEnterCallback(events, on_event);
	OTF2_EvtReaderCallbacks_SetLeaveCallback(events, on_event);
	for (uint64_t i = 0; i < n; i++)
		OTF2_Reader_SelectLocation(reader, location[i]);
	OTF2_Reader_OpenDefFiles(reader);
	OTF2_Reader_OpenEvtFiles(reader);
	for (uint64_t i = 0; i < n; i++) {
		OTF2_DefReader *local = OTF2_Reader_GetDefReader(reader, location[i]);
		OTF2_EvtReader *of = OTF2_Reader_GetEvtReader(reader, location[i]);

		OTF2_Reader_ReadAllLocalDefinitions(reader, local, &read);
		OTF2_Reader_RegisterEvtCallbacks(reader, of, events, NULL);
		OTF2_Reader_ReadAllLocalEvents(reader, of, &read);
	}
	printf("%" PRIu64 "\n", count);
	return 0;
}
