/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * arrow.c -- the table of a verb as Arrow has it: what a library that reads Arrow would be given.
 *
 *	arrow data/cholesky.csv summary --by Node
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <traceviz/arrow.h>
#include <traceviz/trace.h>

/* The text of a label, out of the dictionary. */
static void print_first(const struct ArrowArray *array)
{
	const struct ArrowArray *texts = array->dictionary;
	const int32_t *number = array->buffers[1];
	const int64_t *offset = texts->buffers[1];
	const char *bytes = texts->buffers[2];

	printf("first '%.*s'", (int)(offset[number[0] + 1] - offset[number[0]]),
	       bytes + offset[number[0]]);
}

static void print_column(const struct ArrowSchema *schema, const struct ArrowArray *array)
{
	printf("%s %s: %" PRId64 " rows, %" PRId64 " missing, ", schema->name, schema->format,
	       array->length, array->null_count);
	if (strcmp(schema->format, "tDn") == 0 || strcmp(schema->format, "l") == 0) {
		const int64_t *number = array->buffers[1];
		int64_t sum = 0;

		for (int64_t i = 0; i < array->length; i++)
			sum += number[i];
		printf("sum %" PRId64, sum);
	} else if (strcmp(schema->format, "i") == 0 && array->length > array->null_count) {
		print_first(array);
	}
	putchar('\n');
}

int main(int argc, char **argv)
{
	const char *words[] = { argc > 1 ? argv[1] : "data/cholesky.csv", NULL };
	traceviz_error *error = NULL;
	traceviz_trace *trace = traceviz_open(words, &error);
	traceviz_result *result = NULL;
	struct ArrowSchema schema;
	struct ArrowArray array;

	if (trace != NULL)
		result = traceviz_run(trace, argc > 2 ? argv[2] : "summary",
				      argc > 3 ? (const char *const *)argv + 3 : NULL, &error);
	traceviz_close(trace);
	if (result == NULL) {
		fprintf(stderr, "arrow: %s\n", traceviz_error_text(error));
		traceviz_error_free(error);
		return 1;
	}
	if (traceviz_export_arrow(result, &schema, &array) < 0) {
		fprintf(stderr, "arrow: the verb has no table\n");
		traceviz_free(result);
		return 1;
	}
	traceviz_free(result); /* the arrays live on */
	for (int64_t i = 0; i < array.n_children; i++)
		print_column(schema.children[i], array.children[i]);
	array.release(&array);
	schema.release(&schema);
	return 0;
}
