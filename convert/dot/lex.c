/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lex.c -- the tokens of DOT. */
#include "convert/dot/dot.h"

#include <string.h>
#include <strings.h>

#include "trace/alloc.h"

static int peek(const struct tv_dot_lexer *lexer, size_t ahead)
{
	return lexer->n - lexer->at > ahead ? (unsigned char)lexer->s[lexer->at + ahead] : -1;
}

static int take(struct tv_dot_lexer *lexer)
{
	int c = peek(lexer, 0);

	lexer->line += c == '\n';
	lexer->at += c >= 0;
	return c;
}

static void add(struct tv_dot_lexer *lexer, int c)
{
	TV_GROW(lexer->text, lexer->ntext, lexer->text_cap, 1);
	lexer->text[lexer->ntext++] = (char)c;
}

static void skip_line(struct tv_dot_lexer *lexer)
{
	while (peek(lexer, 0) >= 0 && peek(lexer, 0) != '\n')
		take(lexer);
}

/* Blanks, comments, and lines that begin with #. */
static void skip(struct tv_dot_lexer *lexer)
{
	for (;;) {
		int c = peek(lexer, 0);

		if (c == ' ' || (c >= '\t' && c <= '\r')) {
			take(lexer);
		} else if (c == '/' && peek(lexer, 1) == '/') {
			skip_line(lexer);
		} else if (c == '#' && (lexer->at == 0 || lexer->s[lexer->at - 1] == '\n')) {
			skip_line(lexer);
		} else if (c == '/' && peek(lexer, 1) == '*') {
			lexer->at += 2;
			while (peek(lexer, 0) >= 0
			       && (peek(lexer, 0) != '*' || peek(lexer, 1) != '/'))
				take(lexer);
			if (peek(lexer, 0) < 0) {
				lexer->in = "a comment";
				return;
			}
			lexer->at += 2;
		} else {
			return;
		}
	}
}

/* "text": \" is a quote, a backslash at the end of a line joins it with the next. */
static void quoted(struct tv_dot_lexer *lexer)
{
	int c;

	take(lexer);
	while ((c = take(lexer)) >= 0 && c != '"') {
		if (c != '\\') {
			add(lexer, c);
			continue;
		}
		c = take(lexer);
		if (c == '\r' && peek(lexer, 0) == '\n')
			c = take(lexer);
		if (c != '"' && c != '\n')
			add(lexer, '\\');
		if (c >= 0 && c != '\n')
			add(lexer, c);
	}
	if (c < 0)
		lexer->in = "a string";
}

static const struct {
	const char *name, *text;
} entities[] = {
	{ "amp;", "&" }, { "lt;", "<" }, { "gt;", ">" }, { "quot;", "\"" }, { "nbsp;", " " },
};

static void entity(struct tv_dot_lexer *lexer)
{
	for (size_t i = 0; i < TV_COUNT(entities); i++) {
		size_t n = strlen(entities[i].name);

		if (lexer->n - lexer->at >= n
		    && memcmp(lexer->s + lexer->at, entities[i].name, n) == 0) {
			add(lexer, entities[i].text[0]);
			lexer->at += n;
			return;
		}
	}
	add(lexer, '&');
}

/* <text with <b>tags</b>>: the text without them. A tag that breaks the line is a \n. */
static void html(struct tv_dot_lexer *lexer)
{
	size_t depth = 1;
	int c;

	take(lexer);
	while ((c = take(lexer)) >= 0) {
		if (c == '<') {
			if (depth++ == 1 && lexer->n - lexer->at > 2
			    && (strncasecmp(lexer->s + lexer->at, "br", 2) == 0
				|| strncasecmp(lexer->s + lexer->at, "/t", 2) == 0)) {
				add(lexer, '\\');
				add(lexer, 'n');
			}
		} else if (c == '>') {
			if (--depth == 0)
				return;
		} else if (depth == 1 && c == '&') {
			entity(lexer);
		} else if (depth == 1 && c == '\\') {
			add(lexer, '\\');
			add(lexer, '\\');
		} else if (depth == 1) {
			add(lexer, c == '\n' || c == '\r' ? ' ' : c);
		}
	}
	lexer->in = "a text in HTML";
}

static bool begins_word(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
}

static bool is_digit(int c)
{
	return c >= '0' && c <= '9';
}

/* A word, or a number: -.5, 3., 12 */
static void plain(struct tv_dot_lexer *lexer)
{
	bool word = begins_word(peek(lexer, 0)), point = false;

	if (peek(lexer, 0) == '-')
		add(lexer, take(lexer));
	while (is_digit(peek(lexer, 0)) || (word && begins_word(peek(lexer, 0)))
	       || (!word && !point && peek(lexer, 0) == '.')) {
		point = point || peek(lexer, 0) == '.';
		add(lexer, take(lexer));
	}
}

static bool begins_number(const struct tv_dot_lexer *lexer)
{
	size_t at = peek(lexer, 0) == '-';

	at += peek(lexer, at) == '.';
	return is_digit(peek(lexer, at));
}

static bool begins_id(const struct tv_dot_lexer *lexer)
{
	int c = peek(lexer, 0);

	return c == '"' || c == '<' || begins_word(c) || begins_number(lexer);
}

/* Whether the text ends in the begin of an arrow, a number or a comment. */
static bool is_cut(const struct tv_dot_lexer *lexer)
{
	int c = peek(lexer, 0), next = peek(lexer, 1);

	return (next < 0 && (c == '-' || c == '.' || c == '/'))
	    || (c == '-' && next == '.' && peek(lexer, 2) < 0);
}

static void read_id(struct tv_dot_lexer *lexer)
{
	int c = peek(lexer, 0);

	lexer->ntext = 0;
	lexer->quoted = c == '"' || c == '<';
	if (c == '<')
		html(lexer);
	else if (c != '"')
		plain(lexer);
	/* A graph ends in }. */
	if (c != '<' && c != '"' && peek(lexer, 0) < 0)
		lexer->in = "a word";
	while (peek(lexer, 0) == '"' && c == '"' && lexer->in == NULL) {
		struct tv_dot_lexer mark;

		quoted(lexer);
		/* "a" + "b" */
		mark = *lexer;
		skip(lexer);
		if (peek(lexer, 0) == '+') {
			take(lexer);
			skip(lexer);
			if (peek(lexer, 0) == '"')
				continue;
			if (peek(lexer, 0) < 0) {
				lexer->in = "a string";
				break;
			}
		}
		lexer->at = mark.at;
		lexer->line = mark.line;
		lexer->in = mark.in;
		break;
	}
	lexer->id = tv_intern(lexer->pool, lexer->ntext > 0 ? lexer->text : "", lexer->ntext);
}

int tv_dot_next(struct tv_dot_lexer *lexer, struct tv_error *err)
{
	struct tv_pos at;
	int c;

	skip(lexer);
	lexer->from = lexer->line;
	c = peek(lexer, 0);
	if (c < 0) {
		lexer->kind = TV_DOT_END;
	} else if (strchr("{}[];,=:", c) != NULL && c != '\0') {
		lexer->kind = take(lexer);
	} else if (c == '-' && (peek(lexer, 1) == '>' || peek(lexer, 1) == '-')) {
		lexer->kind = peek(lexer, 1) == '>' ? TV_DOT_ARROW : TV_DOT_LINE;
		lexer->at += 2;
	} else if (begins_id(lexer)) {
		lexer->kind = TV_DOT_ID;
		read_id(lexer);
		/* What is cut off is not used. */
		if (lexer->in != NULL)
			lexer->kind = TV_DOT_END;
	} else if (is_cut(lexer)) {
		lexer->kind = TV_DOT_END;
	} else {
		at = (struct tv_pos){ lexer->path, lexer->line };
		return c > ' ' && c < 0x7f
			     ? tv_fail_at(err, at, "unexpected '%c' in a graph", c)
			     : tv_fail_at(err, at, "unexpected byte %d in a graph", c);
	}
	return 0;
}

bool tv_dot_keyword(const struct tv_dot_lexer *lexer, const char *word)
{
	return lexer->kind == TV_DOT_ID && !lexer->quoted
	    && strcasecmp(tv_pool_text(lexer->pool, lexer->id), word) == 0;
}

int tv_dot_start(struct tv_dot_lexer *lexer, const char *path, const char *s, size_t n,
		 struct tv_pool *pool, struct tv_error *err)
{
	*lexer = (struct tv_dot_lexer){ .pool = pool, .path = path, .s = s, .n = n, .line = 1 };
	return tv_dot_next(lexer, err);
}

void tv_dot_stop(struct tv_dot_lexer *lexer)
{
	tv_free(lexer->text);
}
