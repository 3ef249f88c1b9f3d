/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plain.c -- what yajl gives of a plain event, in a third of its time: no text is copied, no state is kept. */
#include "convert/chrome/plain.h"

#include "trace/digits.h"

struct cursor {
	const char *s, *end;
};

int tv_chrome_field_of(const char *key, size_t n)
{
	if (n == 0)
		return TV_CHROME_NO_FIELD;
		/* Length and first letter say which one it may be. */
#define KEY(first, rest, field) \
	case sizeof rest << 8 | first: \
		return memcmp(key + 1, rest, sizeof rest - 1) == 0 ? field : TV_CHROME_NO_FIELD
	switch (n << 8 | (unsigned char)key[0]) {
		KEY('p', "h", TV_CHROME_PH);
		KEY('t', "s", TV_CHROME_TS);
		KEY('p', "id", TV_CHROME_PID);
		KEY('t', "id", TV_CHROME_TID);
		KEY('n', "ame", TV_CHROME_NAME);
		KEY('c', "at", TV_CHROME_CAT);
		KEY('d', "ur", TV_CHROME_DUR);
		KEY('a', "rgs", TV_CHROME_ARGS);
		KEY('i', "d", TV_CHROME_ID);
		KEY('b', "p", TV_CHROME_BP);
		KEY('i', "d2", TV_CHROME_ID2);
		KEY('s', "cope", TV_CHROME_SCOPE);
	}
#undef KEY
	return TV_CHROME_NO_FIELD;
}

/* Whether c is next: then it is passed. */
static inline bool take_now(struct cursor *at, char c)
{
	bool is = at->s < at->end && *at->s == c;

	at->s += is;
	return is;
}

/* Whether c, behind blanks, is next: then it is passed. */
static inline bool take(struct cursor *at, char c)
{
	while (at->s < at->end
	       && (*at->s == ' ' || *at->s == '\n' || *at->s == '\r' || *at->s == '\t'))
		at->s++;
	return take_now(at, c);
}

/* The high bits of the bytes below a limit of up to 128; behind the first one others may have it, too. */
static inline uint64_t below(uint64_t word, unsigned char limit)
{
	return (word - 0x0101010101010101u * limit) & ~word & 0x8080808080808080u;
}

/* The rest of a text, behind its quote: up to the next one, if neither a backslash nor a control character comes first. */
static inline bool take_text(struct cursor *at, struct tv_chrome_text *text)
{
	const char *s = at->s;
	uint64_t ends = 0;

	for (; ends == 0 && at->end - s >= 8; s += ends == 0 ? 8 : __builtin_ctzll(ends) / 8) {
		uint64_t word = tv_load8(s);

		ends = below(word, ' ') | below(word ^ 0x0101010101010101u * '"', 1)
		     | below(word ^ 0x0101010101010101u * '\\', 1);
	}
	while (s < at->end && *s != '"' && *s != '\\' && (unsigned char)*s >= ' ')
		s++;
	*text = (struct tv_chrome_text){ at->s, (size_t)(s - at->s) };
	at->s = s + 1;
	return s < at->end && *s == '"';
}

static inline bool take_digits(struct cursor *at)
{
	const char *first = at->s;

	while (at->s < at->end && *at->s >= '0' && *at->s <= '9')
		at->s++;
	return at->s > first;
}

static bool take_number(struct cursor *at, struct tv_chrome_text *text)
{
	const char *first = at->s, *whole = first + take_now(at, '-');
	bool good = take_digits(at) && (*whole != '0' || at->s == whole + 1);

	if (good && take_now(at, '.'))
		good = take_digits(at);
	if (good && (take_now(at, 'e') || take_now(at, 'E'))) {
		(void)(take_now(at, '-') || take_now(at, '+'));
		good = take_digits(at);
	}
	*text = (struct tv_chrome_text){ first, (size_t)(at->s - first) };
	return good;
}

static bool take_word(struct cursor *at, struct tv_chrome_text *text)
{
	static const char *const word[] = { "true", "false", "null" };

	for (size_t i = 0; i < TV_COUNT(word); i++) {
		size_t n = strlen(word[i]);

		if ((size_t)(at->end - at->s) < n || memcmp(at->s, word[i], n) != 0)
			continue;
		*text = (struct tv_chrome_text){ i < 2 ? at->s : NULL, n };
		at->s += n;
		return true;
	}
	return false;
}

/* A text, number or word; s is NULL of null. */
static bool take_value(struct cursor *at, struct tv_chrome_text *text)
{
	if (take(at, '"'))
		return take_text(at, text);
	if (at->s < at->end && *at->s >= 'a')
		return take_word(at, text);
	return take_number(at, text);
}

static bool take_key(struct cursor *at, struct tv_chrome_text *key)
{
	return take(at, '"') && take_text(at, key) && take(at, ':');
}

static bool take_arg(struct cursor *at, struct tv_chrome_plain *plain, struct tv_chrome_text key)
{
	struct tv_chrome_text value;

	if (plain->event.nargs == TV_CHROME_PLAIN_ARGS || !take_value(at, &value))
		return false;
	if (value.s != NULL)
		plain->arg[plain->event.nargs++] = (struct tv_chrome_arg){ key, value };
	return true;
}

static bool take_args(struct cursor *at, struct tv_chrome_plain *plain)
{
	struct tv_chrome_text key;

	if (take(at, '}'))
		return true;
	do {
		bool list;

		if (!take_key(at, &key))
			return false;
		list = take(at, '[');
		if (list && take(at, ']'))
			continue;
		do {
			if (!take_arg(at, plain, key))
				return false;
		} while (list && take(at, ','));
		if (list && !take(at, ']'))
			return false;
	} while (take(at, ','));
	return take(at, '}');
}

static bool take_members(struct cursor *at, struct tv_chrome_plain *plain)
{
	struct tv_chrome_text key, value;

	do {
		int field;

		if (!take_key(at, &key))
			return false;
		field = tv_chrome_field_of(key.s, key.n);
		if (field == TV_CHROME_ARGS && take(at, '{')) {
			if (!take_args(at, plain))
				return false;
			continue;
		}
		if (!take_value(at, &value))
			return false;
		if (value.s != NULL && field >= 0 && field < TV_CHROME_NFIELDS)
			plain->event.field[field] = value;
	} while (take(at, ','));
	return take(at, '}');
}

size_t tv_chrome_plain_event(const char *s, size_t n, struct tv_chrome_plain *plain)
{
	struct cursor at = { s, s + n };

	plain->event = (struct tv_chrome_event){ .arg = plain->arg, .whole = true };
	return take(&at, ',') && take(&at, '{') && take_members(&at, plain) ? (size_t)(at.s - s)
									    : 0;
}
