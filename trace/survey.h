/* SPDX-License-Identifier: GPL-3.0-or-later */
/* survey.h -- what tasks.c and survey.c share: the resources that parts of a trace show. */
#ifndef TV_SURVEY_H
#define TV_SURVEY_H

#include "trace/devices.h"

/* Sets what the parts so far have shown; whether they declare idle workers. seen, runs: by label, for all of the pool. */
bool tv_survey_begin(const struct tv_survey *survey, struct tv_sighting *seen, uint8_t *runs);
/* Keeps it with what one more part has shown. */
void tv_survey_end(struct tv_survey *survey, const struct tv_sighting *seen, const uint8_t *runs,
		   uint32_t n, bool declared);

#endif
