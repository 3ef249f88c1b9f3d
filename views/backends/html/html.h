/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html.h -- a report: one page with a picture, its data and a viewer. docs/html.md has the format. */
#ifndef TV_HTML_H
#define TV_HTML_H

#include "views/backends/backend.h"
#include "views/backends/html/payload.h"

/* A number of the report in words, for readers without JavaScript; texts are any bytes. */
struct tv_fact {
	char *name, *value;
};

/* Orders of the tasks of a run, and the type of each as key. */
struct tv_coded {
	struct tv_stored_order order[2];
	struct tv_coding coding;
	uint32_t *key;
	char *like;
};

struct tv_html {
	const struct tv_scene *scene;	/* exact */
	const struct tv_scene *picture; /* the same figure for PNG */
	const struct tv_metadata *about;
	struct tv_payload payload;
	struct tv_json header; /* members besides those of the scene */
	/* What makes columns about the tasks of a run small: by run, and by chart the one of its run. */
	struct tv_coded *coded;
	size_t ncoded;
	size_t *chart; /* number in coded[]; NULL without runs */
	bool tiled;    /* the page loads scripts beside it */
	struct tv_fact *fact;
	size_t nfacts, facts_cap;
};

/* A column of tables' texts is numbers of the scene's strings; all of these are written. Fails also if the data are a longer text
 * than a browser reads. */
int tv_write_html(struct tv_html *html, struct tv_output *out, struct tv_error *err) TV_MUST_CHECK;
void tv_html_release(struct tv_html *html);

#endif
