/* SPDX-License-Identifier: GPL-3.0-or-later */
/* names.c -- what a code address is: site, module, or the user's name for these. */
#include "convert/log/raw.h"

#include <inttypes.h>
#include <stdarg.h>

#include "trace/alloc.h"
#include "trace/text.h"

uint32_t tv_raw_format_label(struct tv_raw_run *run, const char *format, ...)
{
	va_list args;
	char *text;
	uint32_t label;

	va_start(args, format);
	text = tv_format_list(format, args);
	va_end(args);
	label = tv_intern_text(run->trace->pool, text);
	tv_free(text);
	return label;
}

/* ---- the file of names ---- */

/* Lines FROM=TO; "#" begins a comment line. */
static int read_lines(struct tv_raw_run *run, struct tv_input *in, struct tv_error *err)
{
	struct tv_pool *pool = run->trace->pool;
	char *line;
	size_t n;
	int rc;

	while ((rc = tv_input_line(in, &line, &n, err)) > 0) {
		/* FROM may be a C++ function with an operator. */
		const char *equal = memrchr(line, '=', n);

		if (n == 0 || line[0] == '#')
			continue;
		if (equal == NULL || equal == line || equal + 1 == line + n)
			return tv_fail_at(err, tv_here(in), "'%.80s', expected FROM=TO", line);
		tv_index_set(&run->names, tv_intern(pool, line, (size_t)(equal - line)),
			     tv_intern(pool, equal + 1, n - (size_t)(equal + 1 - line)));
	}
	return rc;
}

/* The file beside a log; NULL: there is none. */
static char *find_names(const char *log)
{
	const char *slash = strrchr(log, '/');
	char *path = tv_format("%.*snames", slash != NULL ? (int)(slash + 1 - log) : 0, log);

	if (strcmp(log, "-") != 0 && tv_is_file(path))
		return path;
	tv_free(path);
	return NULL;
}

int tv_raw_read_names(struct tv_raw_run *run, const char *log, struct tv_error *err)
{
	const char *asked = run->trace->options.names;
	char *path = asked != NULL ? tv_strdup(asked) : find_names(log);
	struct tv_input in;
	int rc = 0;

	if (path == NULL)
		return 0;
	if (run->names_path != NULL && strcmp(run->names_path, path) == 0) {
		tv_free(path);
		return 0;
	}
	tv_free(run->names_path);
	run->names_path = path;
	rc = tv_input_open(&in, path, err);
	if (rc < 0)
		return -1;
	rc = read_lines(run, &in, err);
	tv_input_close(&in);
	return rc;
}

/* ---- sites and modules ---- */

void tv_raw_add_site(struct tv_raw_log *log, const struct tv_raw_event *event)
{
	const char *end = (const char *)event->arg + (size_t)event->nargs * 8, *text[3];
	uint64_t line = tv_raw_arg(event, 1);
	struct tv_pool *pool = log->run->trace->pool;
	size_t n[3];
	uint32_t *index;

	text[0] = (const char *)event->arg + 16;
	for (int i = 0; i < 3; i++) {
		n[i] = strnlen(text[i], (size_t)(end - text[i]));
		if (i < 2)
			text[i + 1] = text[i] + n[i] < end ? text[i] + n[i] + 1 : end;
	}
	index = tv_map_at(&log->site_of, tv_intern(pool, text[0], n[0]), tv_raw_arg(event, 0));
	if (*index == TV_NONE) {
		*index = (uint32_t)log->nsites;
		TV_GROW(log->site, log->nsites, log->sites_cap, 1);
		log->nsites++;
	}
	log->site[*index].name = TV_NONE;
	if (n[1] > 0 && n[2] > 0 && line > 0) {
		char *function = tv_strndup(text[1], n[1]), *file = tv_strndup(text[2], n[2]);

		log->site[*index].name = tv_raw_format_label(log->run, "%s@%s:%" PRIu64, function,
							     tv_base_name(file), line);
		tv_free(function);
		tv_free(file);
	}
}

/* The module that covered the address at that time, NULL if none did. */
static const struct tv_raw_module *find_module(const struct tv_raw_log *log, uint64_t address,
					       int64_t time)
{
	const struct tv_raw_module *found = NULL;

	for (size_t i = 0; i < log->nmodules; i++) {
		const struct tv_raw_module *m = &log->module[i];

		if (m->time <= time && address >= m->begin && address < m->end
		    && (found == NULL || m->time >= found->time))
			found = m;
	}
	return found;
}

static uint32_t rename_label(const struct tv_raw_run *run, uint32_t label)
{
	uint32_t to = tv_index_get(&run->names, label);

	return to != TV_NONE ? to : label;
}

static uint32_t value_in(struct tv_raw_log *log, const struct tv_raw_module *module,
			 uint64_t address)
{
	uint64_t offset = address - module->bias;
	const uint32_t *site = tv_map_get(&log->site_of, module->path, offset);
	uint32_t name = site != NULL ? log->site[*site].name : TV_NONE;
	uint32_t plain = tv_raw_format_label(
		log->run, "%s+0x%" PRIx64,
		tv_base_name(tv_pool_text(log->run->trace->pool, module->path)), offset);

	if (name == TV_NONE || tv_index_get(&log->run->names, plain) != TV_NONE)
		name = plain;
	return rename_label(log->run, name);
}

/* Modules that are mapped up to a time: the same number, the same modules. */
static uint64_t modules_at(const struct tv_raw_log *log, int64_t time)
{
	uint64_t n = 0;

	for (size_t i = 0; i < log->nmodules; i++)
		n += log->module[i].time <= time;
	return n;
}

uint32_t tv_raw_value(struct tv_raw_log *log, uint64_t address, int64_t time)
{
	uint64_t nmodules = modules_at(log, time);
	uint32_t *label = tv_map_at(&log->value_of, address, nmodules);

	if (*label == TV_NONE) {
		const struct tv_raw_module *module = find_module(log, address, time);

		if (address == 0)
			*label = tv_intern_text(log->run->trace->pool, "unknown");
		else if (module != NULL)
			*label = value_in(log, module, address);
		else
			*label = tv_raw_format_label(log->run, "0x%" PRIx64, address);
	}
	return *label;
}
