/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html.c -- the page: head, picture and numbers, data, viewer. */
#include "views/backends/html/html.h"

#include <string.h>
#include <time.h>

#include "trace/alloc.h"
#include "trace/text.h"
#include "views/backends/base64.h"
#include "views/backends/escape.h"
#include "views/backends/font_face.h"
#include "views/backends/html/scene.h"
#include "views/backends/html/sha256.h"

extern const char tv_viewer_script_begin[], tv_viewer_script_end[]; /* data/embed.S */
extern const char tv_viewer_style_begin[], tv_viewer_style_end[];

static void write_between(struct tv_output *out, const char *begin, const char *end)
{
	tv_output_write(out, begin, (size_t)(end - begin));
}

/* " 'sha256-...'" of a text of the page. */
static void write_hash(struct tv_output *out, const char *begin, const char *end)
{
	unsigned char digest[TV_SHA256_BYTES];
	struct tv_base64 text = { .out = out };

	tv_sha256(begin, (size_t)(end - begin), digest);
	tv_output_text(out, " 'sha256-");
	tv_base64_write(&text, digest, sizeof digest);
	tv_base64_end(&text);
	tv_output_text(out, "'");
}

/* Nothing is loaded but tiles, and nothing runs but them and what is named here. */
static void write_policy(const struct tv_html *html, struct tv_output *out,
			 const struct tv_output *fonts)
{
	tv_output_text(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
			    "'none'; script-src");
	write_hash(out, tv_viewer_script_begin, tv_viewer_script_end);
	if (html->tiled)
		tv_output_text(out, " 'self' file:");
	tv_output_text(out, "; style-src");
	write_hash(out, tv_viewer_style_begin, tv_viewer_style_end);
	if (fonts->n > 0)
		write_hash(out, fonts->buffer, fonts->buffer + fonts->n);
	tv_output_text(
		out,
		"; font-src data:; img-src data: blob:; base-uri 'none'; form-action 'none'\">\n");
}

static void write_clean(struct tv_output *out, const char *text)
{
	char clean[TV_METADATA_MAX];

	tv_write_escaped(out, tv_clean_text(clean, sizeof clean, text));
}

static void write_meta(struct tv_output *out, const char *name, const char *text)
{
	if (text == NULL)
		return;
	tv_output_format(out, "<meta name=\"%s\" content=\"", name);
	write_clean(out, text);
	tv_output_text(out, "\">\n");
}

/* fonts: the style with the font of the figure. */
static void write_head(const struct tv_html *html, const struct tv_output *fonts,
		       struct tv_output *out)
{
	const struct tv_metadata *about = html->about;
	time_t seconds = (time_t)about->date;
	char date[40];
	struct tm tm;

	tv_output_text(out,
		       "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
	write_policy(html, out, fonts);
	tv_output_text(out, "<meta name=\"viewport\" content=\"width=device-width, "
			    "initial-scale=1\">\n");
	/* Without one a browser asks the server for favicon.ico. */
	tv_output_text(out, "<link rel=\"icon\" href=\"data:,\">\n");
	write_meta(out, "generator", about->creator);
	write_meta(out, "description", about->command);
	if (about->date != 0 && gmtime_r(&seconds, &tm) != NULL
	    && strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &tm) > 0)
		write_meta(out, "date", date);
	tv_output_text(out, "<title>");
	write_clean(out, about->title != NULL ? about->title : "trace");
	tv_output_text(out, "</title>\n<style>");
	write_between(out, tv_viewer_style_begin, tv_viewer_style_end);
	tv_output_text(out, "</style>\n");
	if (fonts->n > 0) {
		tv_output_text(out, "<style id=\"tv-fonts\">");
		tv_output_write(out, fonts->buffer, fonts->n);
		tv_output_text(out, "</style>\n");
	}
	tv_output_text(out, "</head>\n");
}

/* What there is without JavaScript, and before the viewer is ready. */
static int write_static(const struct tv_html *html, struct tv_output *out, struct tv_error *err)
{
	const struct tv_scene *picture = html->picture;

	tv_output_text(out, "<div id=\"tv-static\">\n<h1>");
	write_clean(out, html->about->title != NULL ? html->about->title : "trace");
	tv_output_format(out,
			 "</h1>\n<img width=\"%.0f\" height=\"%.0f\" alt=\"The figure that "
			 "traceviz draws of this trace; the table has its numbers.\" "
			 "src=\"data:image/png;base64,",
			 picture->width * picture->scale * 96 / 72,
			 picture->height * picture->scale * 96 / 72);
	if (tv_write_png_base64(picture, out, err) < 0)
		return -1;
	tv_output_text(out, "\">\n<table id=\"tv-facts\">\n");
	for (size_t i = 0; i < html->nfacts; i++) {
		tv_output_text(out, "<tr><th scope=\"row\">");
		write_clean(out, html->fact[i].name);
		tv_output_text(out, "</th><td>");
		write_clean(out, html->fact[i].value);
		tv_output_text(out, "</td></tr>\n");
	}
	tv_output_text(out, "</table>\n<noscript><p>Zoom, search and details need "
			    "JavaScript.</p></noscript>\n</div>\n");
	return 0;
}

/* Chromium's longest text has 2^29 - 24 characters. */
enum { TEXT_MAX = (1 << 29) - 32 };

int tv_write_html(struct tv_html *html, struct tv_output *out, struct tv_error *err)
{
	struct tv_output fonts;
	uint64_t characters;
	int rc;

	tv_output_memory(&fonts);
	rc = tv_write_font_faces(html->scene, true, &fonts, err);
	if (rc == 0)
		write_head(html, &fonts, out);
	tv_output_abort(&fonts);
	if (rc < 0)
		return -1;
	tv_output_text(out, "<body>\n");
	if (write_static(html, out, err) < 0)
		return -1;
	tv_html_scene(html);
	/* The script is before the data: it sees also a file that was cut. */
	tv_output_text(out, "<main id=\"tv\"></main>\n<script>");
	write_between(out, tv_viewer_script_begin, tv_viewer_script_end);
	tv_output_text(out, "</script>\n<script type=\"application/octet-stream\" "
			    "id=\"tv-data\">");
	characters = tv_payload_write(&html->payload, &html->header, out);
	if (characters > TEXT_MAX)
		return tv_fail_usage(err,
				     "the data of the report take %.0f MB, more than a browser "
				     "reads (%.0f MB): write tiles (--tiles DIR instead of -o), "
				     "choose a window (--begin, --end), or cut the trace, as by "
				     "--restrict 'Start < 1000' (ms)",
				     (double)characters / 1e6, TEXT_MAX / 1e6);
	tv_output_text(out, "</script>\n</body>\n</html>\n");
	return 0;
}

void tv_html_release(struct tv_html *html)
{
	for (size_t i = 0; i < html->nfacts; i++) {
		tv_free(html->fact[i].name);
		tv_free(html->fact[i].value);
	}
	tv_free(html->fact);
	for (size_t i = 0; i < html->ncoded; i++) {
		for (size_t k = 0; k < html->coded[i].coding.norders; k++) {
			tv_free(html->coded[i].order[k].name);
			tv_free(html->coded[i].order[k].row);
			tv_free(html->coded[i].order[k].place);
		}
		tv_free(html->coded[i].key);
		tv_free(html->coded[i].like);
	}
	tv_free(html->coded);
	tv_free(html->chart);
	tv_payload_release(&html->payload);
	tv_json_release(&html->header);
}
