/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.h -- what the user chose for a figure: size, panels, settings, runs side by side. */
#ifndef TV_PLOT_OPTIONS_H
#define TV_PLOT_OPTIONS_H

#include "analysis/core/run.h"
#include "trace/output.h"
#include "views/scene/palette.h"

/* From top to bottom, nodes always first; TV_ORDER_LIST: in the order of row_name. */
enum tv_row_order {
	TV_ORDER_TYPE,	 /* accelerators, CPUs */
	TV_ORDER_NUMA,	 /* by memory node */
	TV_ORDER_DEVICE, /* by device; workers without one last */
	TV_ORDER_BUSY,	 /* within a type, the busiest first */
	TV_ORDER_NAME,
	TV_ORDER_LIST
};
/* The order of that name ("type", "numa", "device", "busy", "name"), or -1. */
int tv_row_order_find(const char *name);

enum tv_header { TV_HEADER_YES, TV_HEADER_NO }; /* in the order of the words of --header */
enum tv_medium { TV_PDF, TV_PNG, TV_SVG, TV_HTML, TV_BOXES };

#define TV_WIDTH_IN	 7.16 /* the text width of a two-column page */
#define TV_HEIGHT_MAX_IN 9.0
#define TV_DPI		 200
/* Of the pixels of images of rows in PDF and SVG, points: four cells. */
#define TV_IMAGE_LINE (72.0 / 150)

/* An option of one panel, or of all of them, as text. Of equal keys the last one counts. */
struct tv_setting {
	const char *panel; /* name of the panel; NULL = the figure */
	const char *key, *value;
};

/* Which rows of a table of tasks, a part of those of a trace, are to be drawn: *row, ascending, in new memory; NULL = all. -1
 * with *err. */
struct tv_shown_rows {
	int (*choose)(const void *context, const struct tv_table *tasks, uint32_t **row,
		      uint32_t *n, struct tv_error *err); /* NULL: all are */
	const void *context;
};

/* One of several runs in a figure, or a node of one. */
struct tv_facet {
	struct tv_run *run;
	bool node;	       /* the run is a part (tv_run_init_part): the workers of one node */
	const char *label;     /* any bytes */
	unsigned row, column;  /* place in the grid, from 0 */
	const uint32_t *shown; /* as in tv_plot_options */
	uint32_t nshown;
	struct tv_run *const *repeat; /* all runs of the label, run among them */
	size_t nrepeats;	      /* 0 or 1: run alone */
};

/* Which facets have the same time axis; and what is at the same place in them. */
enum tv_share_x { TV_SHARE_ALL, TV_SHARE_ROWS, TV_SHARE_NONE };

/* A paragraph above a figure. */
struct tv_lead {
	const char *text; /* any bytes */
	bool bold;
};

/* What is zero or NULL has its default. */
struct tv_plot_options {
	double width_in;  /* TV_WIDTH_IN, times scale */
	double height_in; /* 0: by the rows, max TV_HEIGHT_MAX_IN times scale */
	double dpi;	  /* of PNG; TV_DPI */
	double scale;	  /* of text, lines and everything else; 1 */
	double font_size; /* of normal text, points; then scale is that of the default page alone */
	const char *font; /* a family of the system; the shipped one */
	const char *editor_link; /* of HTML: the address of a place, with {file} and {line} */
	const struct tv_output_folder
		*tiles; /* of HTML: where its tasks go; NULL = they are in the page */
	enum tv_palette palette;
	enum tv_header header;
	const char *kernels;	 /* path of a table that extends data/kernels.csv */
	const char *label;	 /* of the run, first word of the header; any bytes */
	const char *const *note; /* printed in the title line: a selection, a restriction */
	size_t nnotes;
	const struct tv_lead *lead; /* above the header, of a figure without facets */
	size_t nlead;
	const char *const *panel; /* from top to bottom; default: what the trace fills */
	size_t npanels;
	bool usual; /* nobody chose these panels: those without data are left out without a warning */
	const struct tv_setting *setting;
	size_t nsettings;
	const uint32_t *shown; /* rows of tasks to draw, ascending; NULL = all; changes no number */
	uint32_t nshown;
	struct tv_shown_rows choice;  /* instead, where tasks come part by part */
	const struct tv_facet *facet; /* several runs, each in a stack of its own; else NULL */
	size_t nfacets;
	unsigned rows, columns;	      /* of the grid of facets */
	bool layout_free;	      /* not chosen by the user: another one may be proposed */
	unsigned page_rows;	      /* of these on one page; 0 = all */
	unsigned page;		      /* from 0; a PDF has all of them */
	const struct tv_table *table; /* drawn instead of a run, by panels of tables; else NULL */
	const char *weights;	      /* what bounds take durations from for a second set of them,
					 * printed by each facet; NULL = none */
	enum tv_share_x share_x;
	const char *align;	 /* start, end, iteration:K, task:ID; NULL = start */
	const char *row_pattern; /* patterns of the resources whose rows are drawn; NULL = all */
	enum tv_row_order row_order;
	const char *const *row_name; /* TV_ORDER_LIST: resources from top to bottom */
	size_t nrow_names;
	enum tv_medium boxes_of; /* whose scene TV_BOXES lists; its cells differ */
	/* Receives the figure's numbers as TeX commands (views/page/caption.h); NULL = nobody does. */
	struct tv_output *caption;
	const char *caption_name; /* what the names of the commands begin with */
	const struct tv_table
		*diagnosis; /* of the run (tv_run_diagnose), for a report; NULL = none */
	bool exact;	    /* lay out an exact scene (views/scene/scene.h) */
	double line;	    /* min height of the pixels of images of rows, points; 0: a cell */
	const char *creator, *command; /* for the metadata: "traceviz 1.0", what drew the figure */
	int64_t date;		       /* for the metadata, seconds since 1970; 0 = none */
};

/* The value of a setting, or NULL. */
const char *tv_setting(const struct tv_plot_options *options, const char *panel, const char *key);
/* Of the default width and of the max height. */
double tv_page_scale(const struct tv_plot_options *options);
/* How many pages the figure has: 1, or more with many facets. */
unsigned tv_plot_pages(const struct tv_plot_options *options);

#endif
