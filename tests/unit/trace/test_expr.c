/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_expr.c -- expressions: what they choose, and what is wrong with the others. */
#include <stdio.h>

#include "tests/unit/unit.h"

#include "trace/expr.h"
#include "trace/text.h"

static const char csv[] = "ResourceId,Value,Start,End,JobId,Priority,GFlop,DependsOn,Note,Cause\n"
			  "CPU0,dpotrf,0,10,1,5,0.5,,first one,drain\n"
			  "CPU2,dtrsm,10,12,2,,1.5,1,,type\n"
			  "CPU10,dgemm,12,3000,10,-3,,1 2,it's,unsuited\n"
			  "CUDA0,dgemm,12,3000.5,11,0,NaN,2,\"\",\n";

static void chooses(void **state)
{
	static const struct {
		const char *text, *rows; /* the rows chosen, as digits */
	} row[] = {
		{ "JobId == 1", "0" },
		{ "JobId != 1", "123" },
		{ "JobId < 10", "01" },
		{ "ResourceId < CPU10", "01" },
		{ "Value == dgemm", "23" },
		{ "Value in (dgemm, dpotrf)", "023" },
		{ "Value not in (dgemm, dpotrf)", "1" },
		{ "Value ~ '^d(g|p)'", "023" },
		{ "Value ~ '^d+(g+|p+)+[a-z+({]+[[:alpha:]]?$'", "023" },
		{ "Value ~ "
		  "'a+|b+|c+|e+f+|h+|i+|j+|k+|l+|n+|q+|s+|u+|v+|w+|x+|y+|z+|[])+]+|(^d+g)+'",
		  "123" },
		{ "Value ~ '^.{1,300}$' and JobId == 1", "0" },
		{ "Value ~ '^d((((g)?)+p?)*)?'", "0123" },
		{ "Start >= 12", "23" },
		{ "End > 3s", "3" },
		{ "End <= 3s", "012" },
		{ "Start == 0.01s", "1" },
		{ "Priority > -4", "023" },
		{ "Priority == -3", "2" },
		{ "Priority < 0.5", "23" },
		{ "not Priority == 5", "123" },
		{ "GFlop == 1.5", "1" },
		{ "GFlop > 0", "01" },
		{ "DependsOn == 1", "12" },
		{ "DependsOn ~ 2", "23" },
		{ "Note == 'first one'", "0" },
		{ "Note == \"it's\"", "2" },
		{ "Note == ''", "3" },
		{ "Value == dgemm and Start == 12 or JobId == 1", "023" },
		{ "Value == dgemm and (Priority == 0 or JobId == 1)", "3" },
		{ "not (Value == dgemm) and not JobId == 2", "0" },
		{ "  Value==dgemm  ", "23" },
		/* a renamed value */
		{ "Cause == type", "12" },
		{ "Cause == unsuited", "12" },
		{ "Cause != type", "0" },
		{ "Cause in (unsuited, drain)", "012" },
		{ "Value == type or Note == unsuited", "" },
		/* sums; times are in ms */
		{ "End - Start > 2 * 5", "23" },
		{ "End-Start>2*5", "23" },
		{ "(End - Start) / 2 == 5", "0" },
		{ "((End - Start) / 2 == 5)", "0" },
		{ "Start + 2ms < End and not (Start + 2ms < 12)", "23" },
		{ "End - Start == 0.01s", "0" },
		{ "-Priority > 2", "2" },
		{ "2 < GFlop + 1", "1" },
		{ "1 / Priority < 100", "02" },
		{ "GFlop * 0 == 0", "01" },
		{ "Start < End", "0123" },
		{ "End > Start * 10", "023" },
		{ "1e308 * 10 * Start >= 0 or JobId == 1", "0" },
	};
	struct tv_trace trace;

	(void)state;
	unit_trace(&trace, NULL, csv);
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		struct tv_error err = { 0 };
		struct tv_expr *expr = tv_expr_new(row[i].text, &trace.table[TV_TASKS], &err);
		char rows[8] = "";
		size_t n = 0;

		if (expr == NULL)
			fail_msg("'%s': %s", row[i].text, err.text);
		for (uint32_t r = 0; r < 4; r++)
			if (tv_expr_holds(expr, r))
				rows[n++] = (char)('0' + r);
		if (strcmp(rows, row[i].rows) != 0)
			fail_msg("'%s' chose rows %s, expected %s", row[i].text, rows, row[i].rows);
		tv_expr_free(expr);
	}
	tv_trace_release(&trace);
}

static void refuses(void **state)
{
	static const struct {
		const char *text, *message;
		int caret;
	} row[] = {
		{ "", "expected a column here", 0 },
		{ "  ", "expected a column here", 2 },
		{ "Foo == 1", "no column 'Foo', expected one of ResourceId, Value,*", 0 },
		{ "End > 1 and 'x y' == 1", "no column 'x y', expected one of *", 12 },
		{ "Value", "expected == != < <= > >= ~ or in here", 5 },
		{ "Value == main@mat.c:30", "expected \"main@mat.c:30\" here, in quotes", 9 },
		{ "End > 1 and Value in (a, f@b)", "expected \"f@b\" here, in quotes", 25 },
		{ "(Value ~ f@b)", "expected \"f@b\" here, in quotes", 9 },
		{ "Value = x", "expected '==' here instead of '='", 6 },
		{ "Value == x && End > 1", "expected 'and' here instead of '&&'", 11 },
		{ "Value == x || End > 1", "expected 'or' here instead of '||'", 11 },
		{ "!Value == x", "expected 'not' here instead of '!'", 0 },
		{ "Value not x", "expected in here", 10 },
		{ "Value ==", "expected a value here", 8 },
		{ "Value == 'x", "expected a closed quotation here", 9 },
		{ "Start == soon", "expected a time such as 12.5 or 3s here", 9 },
		{ "Priority > high", "expected a number here", 11 },
		{ "Priority in (1, 2, x)", "expected a number here", 19 },
		{ "Start ~ 1", "expected == != < <= > >= or in (~ is for labels and text) here",
		  6 },
		{ "Start ~ soon", "*(~ is for labels and text) here", 6 },
		{ "Value ~ 'x+++++++++++++++++++++++++++++++++++++++++'",
		  "expected a simpler regular expression here", 8 },
		{ "Value ~ 'x++++++*++++++?++++++'", "expected a simpler regular expression here",
		  8 },
		{ "Value ~ 'x*++++++++++++'", "expected a simpler regular expression here", 8 },
		{ "Value ~ '(((((((((((((((x+)+)+)+)+)+)+)+)+)+)+)+)+)+)+'",
		  "expected a simpler regular expression here", 8 },
		{ "Value ~ 'tr???????????????????+++++++'",
		  "expected a simpler regular expression here", 8 },
		{ "Value ~ 'x((((y)?)+z?)*)?{2}'", "expected a simpler regular expression here",
		  8 },
		{ "Value ~ '((x{100}){100}){100}'", "expected a simpler regular expression here",
		  8 },
		{ "Value ~ '(x{5000,})+'", "expected a simpler regular expression here", 8 },
		{ "Value ~ '(' or End > 1", "expected an extended regular expression here", 8 },
		{ "Value ~ '^d' or End > x", "expected a time such as 12.5 or 3s here", 22 },
		{ "(Value == x", "expected ) here", 11 },
		{ "Value == x y", "expected and, or, or the end here", 11 },
		{ "Value == \xc3\xa9 y", "expected and, or, or the end here", 11 },
		{ "Value in x", "expected ( after in here", 9 },
		{ "Value in (x", "expected , or ) here", 11 },
		{ "not", "expected a column here", 3 },
		{ "End - Start > Value", "expected a column of numbers or a number here", 14 },
		{ "End - Start > 5 5", "expected and, or, or the end here", 16 },
		{ "(End - Start > 5", "expected ) here", 16 },
	};
	struct tv_trace trace;

	(void)state;
	unit_trace(&trace, NULL, csv);
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		struct tv_error err = { 0 };

		if (tv_expr_new(row[i].text, &trace.table[TV_TASKS], &err) != NULL)
			fail_msg("'%s' was accepted", row[i].text);
		if (!tv_glob(row[i].message, err.text) || err.status != TV_USAGE
		    || err.caret != row[i].caret || strcmp(err.quote, row[i].text) != 0)
			fail_msg("'%s': %s, caret %d", row[i].text, err.text, err.caret);
	}
	tv_trace_release(&trace);
}

/* Of a long expression the place that is wrong is shown, whatever its bytes. */
static void long_expressions(void **state)
{
	static const char euro[] = "\xe2\x82\xac";
	struct tv_error err = { 0 };
	struct tv_trace trace;
	char text[2000];

	(void)state;
	unit_trace(&trace, NULL, csv);
	for (size_t before = 0; before < 400; before++)
		for (size_t after = 0; after < 400; after += 7) {
			size_t n = (size_t)snprintf(text, sizeof text, "Value == '");

			for (size_t i = 0; i < before + after; i++) {
				if (i == before)
					n += (size_t)snprintf(text + n, sizeof text - n, "' ! '");
				text[n++] = euro[i % 3];
				text[n] = '\0';
			}
			if (after == 0)
				continue;
			assert_null(tv_expr_new(text, &trace.table[TV_TASKS], &err));
			assert_string_equal(err.text, "expected and, or, or the end here");
			n = 0;
			for (int i = 0; i < err.caret || (err.quote[n] & 0xc0) == 0x80; n++)
				i += (err.quote[n] & 0xc0) != 0x80;
			assert_int_equal(err.quote[n], '!');
			assert_true(strlen(err.quote) < 250);
		}
	tv_trace_release(&trace);
}

static void deep_nesting(void **state)
{
	struct tv_error err = { 0 };
	struct tv_trace trace;
	char text[20001];

	(void)state;
	unit_trace(&trace, NULL, csv);
	memset(text, '(', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	assert_null(tv_expr_new(text, &trace.table[TV_TASKS], &err));
	tv_trace_release(&trace);
}

static enum tv_truth truth_between(const struct tv_table *table, const char *text)
{
	struct tv_error err = { 0 };
	struct tv_expr *expr = tv_expr_new(text, table, &err);
	enum tv_truth truth;

	if (expr == NULL)
		fail_msg("%s: %s", text, err.text);
	truth = tv_expr_between(expr, 1, 2);
	tv_expr_free(expr);
	return truth;
}

/* What holds for every half number of an interval, for none, for some. */
static void intervals(void **state)
{
	static const char *const tests[] = { "x < 2",  "x <= 2", "x > 2",	"x >= 2",
					     "x == 2", "x != 2", "x in (1, 2)", "not x < 2" };
	static const struct {
		const char *text;
		enum tv_truth truth;
	} whole[] = {
		{ "x > 0", TV_YES },
		{ "y > 0", TV_UNKNOWN },
		{ "not y > 0", TV_UNKNOWN },
		{ "x > 0 or y > 0", TV_YES },
		{ "x < 0 and y > 0", TV_NO },
		{ "x > 0 and y > 0", TV_UNKNOWN },
		{ "y > 0 or x < 0", TV_UNKNOWN },
		{ "x > 2 and x < 0", TV_NO },
		{ "x > 2 or x < 0", TV_UNKNOWN },
	};
	struct tv_error err = { 0 };
	struct tv_pool *pool = tv_pool_new();
	struct tv_table table;
	struct tv_column *x;

	(void)state;
	tv_table_init(&table, pool);
	tv_pool_free(pool);
	x = tv_table_column(&table, "x", TV_DOUBLE, &err);
	assert_non_null(tv_table_column(&table, "y", TV_DOUBLE, &err));
	table.nrows = 3;
	tv_set_double(x, 0, 0);
	tv_set_double(x, 1, 1);
	tv_set_double(x, 2, 3);
	tv_table_finish(&table);
	for (size_t i = 0; i < TV_COUNT(whole); i++)
		assert_int_equal(truth_between(&table, whole[i].text), whole[i].truth);
	for (int low = 0; low <= 8; low++)
		for (int high = low; high <= 8; high++)
			for (size_t i = 0; i < TV_COUNT(tests); i++) {
				struct tv_expr *expr = tv_expr_new(tests[i], &table, &err);
				bool some = false, all = true;

				for (int half = low; half <= high; half++) {
					x->d[0] = half / 2.;
					some = some || tv_expr_holds(expr, 0);
					all = all && tv_expr_holds(expr, 0);
				}
				tv_expr_free(expr);
				x->d[1] = low / 2.;
				x->d[2] = high / 2.;
				assert_int_equal(truth_between(&table, tests[i]),
						 all	? TV_YES
						 : some ? TV_UNKNOWN
							: TV_NO);
			}
	tv_table_release(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chooses),	    cmocka_unit_test(refuses),
		cmocka_unit_test(long_expressions), cmocka_unit_test(deep_nesting),
		cmocka_unit_test(intervals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
