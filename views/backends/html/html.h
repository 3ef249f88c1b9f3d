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

struct tv_html {
	const struct tv_scene *scene;	/* exact */
	const struct tv_scene *picture; /* the same figure for PNG */
	const struct tv_metadata *about;
	struct tv_payload payload;
	struct tv_json header; /* members besides those of the scene */
	struct tv_fact *fact;
	size_t nfacts, facts_cap;
};

/* A column of tables' texts is numbers of the scene's strings; all of these are written. */
int tv_write_html(struct tv_html *html, struct tv_output *out, struct tv_error *err) TV_MUST_CHECK;
void tv_html_release(struct tv_html *html);

#endif
