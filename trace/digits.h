/* SPDX-License-Identifier: GPL-3.0-or-later */
/* digits.h -- decimal digits from text, eight at a time, and to text, two at a time. */
#ifndef TV_DIGITS_H
#define TV_DIGITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Eight bytes as a number whose lowest byte is the first one. */
static inline uint64_t tv_load8(const char *s)
{
	uint64_t word;

	memcpy(&word, s, sizeof word);
	return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap64(word) : word;
}

static inline uint32_t tv_load4(const char *s)
{
	uint32_t word;

	memcpy(&word, s, sizeof word);
	return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap32(word) : word;
}

/* The same of s[0..n), n <= 8, with zeros behind; no other byte is read. */
static inline uint64_t tv_load_some(const char *s, size_t n)
{
	uint64_t word = 0;

	if (n == 8)
		return tv_load8(s);
	if (n >= 4)
		return tv_load4(s) | (uint64_t)tv_load4(s + n - 4) << 8 * (n - 4);
	if (n > 0) /* the first, the middle and the last of at most three */
		word = (uint64_t)(unsigned char)s[0]
		     | (uint64_t)(unsigned char)s[n / 2] << 8 * (n / 2)
		     | (uint64_t)(unsigned char)s[n - 1] << 8 * (n - 1);
	return word;
}

/* How many of eight bytes, from the first on, are digits. */
static inline unsigned tv_count_digits(uint64_t word)
{
	/* The high bit of each byte that is no digit; a carry only changes bytes behind one. */
	uint64_t other = (word ^ 0x3030303030303030u) + 0x7676767676767676u;

	other = (other | word) & 0x8080808080808080u;
	return other == 0 ? 8 : (unsigned)__builtin_ctzll(other) / 8;
}

/* The number that the first n of eight bytes are, 0 < n <= 8 digits: pairs, then fours, then eight
 * are joined, all at once. */
static inline uint32_t tv_join_digits(uint64_t word, unsigned n)
{
	word = (word ^ 0x3030303030303030u) << (64 - 8 * n);
	word = word * 10 + (word >> 8);
	word = (word & 0x000000ff000000ffu) * (100 + ((uint64_t)1000000 << 32))
	     + (word >> 16 & 0x000000ff000000ffu) * (1 + ((uint64_t)10000 << 32));
	return (uint32_t)(word >> 32);
}

/* The number that s[0..n) is, 0 < n <= 8, of that word; false: not only digits. */
static inline bool tv_short_number(uint64_t word, size_t n, uint32_t *value)
{
	if (tv_count_digits(word) < n)
		return false;
	*value = tv_join_digits(word, (unsigned)n);
	return true;
}

/* Appends the digits at *s to *value, which they do not overflow, and skips them. */
static inline void tv_take_digits(const char **s, const char *end, int64_t *value)
{
	static const int64_t power10[] = { 1,	   10,	    100,      1000,	10000,
					   100000, 1000000, 10000000, 100000000 };

	while (end - *s >= 8) {
		uint64_t word = tv_load8(*s);
		unsigned n = tv_count_digits(word);

		if (n > 0)
			*value = *value * power10[n] + tv_join_digits(word, n);
		*s += n;
		if (n < 8)
			return;
	}
	while (*s < end && **s >= '0' && **s <= '9')
		*value = *value * 10 + (*(*s)++ - '0');
}

/* Writes a number below 100 as two digits. */
static inline void tv_put_pair(char *out, unsigned number)
{
	static const char pairs[] = "0001020304050607080910111213141516171819"
				    "2021222324252627282930313233343536373839"
				    "4041424344454647484950515253545556575859"
				    "6061626364656667686970717273747576777879"
				    "8081828384858687888990919293949596979899";

	memcpy(out, pairs + (size_t)2 * number, 2);
}

/* Writes a number, two digits at a time: how many digits it has. */
static inline size_t tv_put_digits(char *out, uint64_t number)
{
	uint64_t rest = number;
	size_t n = 1, at;

	for (; rest >= 100; rest /= 100)
		n += 2;
	n += rest >= 10;
	for (at = n; at > 2; at -= 2, number /= 100)
		tv_put_pair(out + at - 2, (unsigned)(number % 100));
	if (at == 2)
		tv_put_pair(out, (unsigned)number);
	else
		*out = (char)('0' + number);
	return n;
}

#endif
