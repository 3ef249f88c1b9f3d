/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cell.c -- numbers of Parquet as text, exact. */
#include "convert/parquet/cell.h"

#include "trace/digits.h"
#include "trace/number.h"

#define DAY_NS	    ((tv_int128)86400 * 1000000000)
#define DAY_OF_1970 2440588 /* Julian day */

__extension__ typedef unsigned __int128 uint128;

/* The number divided by 10^digits, with that many digits behind the point. */
static size_t write_decimal(char *out, tv_int128 number, int digits)
{
	char text[TV_PARQUET_NUMBER_MAX];
	size_t n = 0, length = 0;
	uint128 rest = number < 0 ? -(uint128)number : (uint128)number;

	if (number >= INT64_MIN && number <= INT64_MAX && (digits == 0 || digits == 6))
		return (digits == 0 ? tv_write_int : tv_write_ms)(out, (int64_t)number);
	for (; digits < 0; digits++)
		text[n++] = '0';
	for (int i = 0; rest > 0 || i <= digits; i++, rest /= 10) {
		if (i > 0 && i == digits)
			text[n++] = '.';
		text[n++] = (char)('0' + (int)(rest % 10));
	}
	if (number < 0)
		out[length++] = '-';
	while (n > 0)
		out[length++] = text[--n];
	return length;
}

/* Big endian, two's complement. */
static bool read_big(const struct tv_parquet_value *value, tv_int128 *number)
{
	uint128 bits = value->n > 0 && (value->s[0] & 0x80) != 0 ? ~(uint128)0 : 0;

	if (value->n == 0 || value->n > sizeof bits)
		return false;
	for (size_t i = 0; i < value->n; i++)
		bits = bits << 8 | (unsigned char)value->s[i];
	*number = (tv_int128)bits;
	return true;
}

static bool read_whole(const struct tv_parquet_column *column, const struct tv_parquet_value *value,
		       tv_int128 *number)
{
	if (column->type == TV_PARQUET_BYTE_ARRAY || column->type == TV_PARQUET_FIXED)
		return read_big(value, number);
	*number = value->i;
	if (column->kind == TV_KIND_UNSIGNED)
		*number = column->type == TV_PARQUET_INT32 ? (tv_int128)(uint32_t)value->i
							   : (tv_int128)(uint64_t)value->i;
	return true;
}

bool tv_parquet_text(const struct tv_parquet_column *column, const struct tv_parquet_value *value,
		     char number[TV_PARQUET_NUMBER_MAX], struct tv_csv_cell *cell)
{
	tv_int128 whole = 0;
	bool fits = true;

	*cell = (struct tv_csv_cell){ number, 0, false, false };
	switch (column->kind) {
	case TV_KIND_TEXT:
		*cell = (struct tv_csv_cell){ value->s, value->n, false, false };
		break;
	case TV_KIND_DOUBLE:
		cell->n = tv_write_double(number, value->d);
		break;
	case TV_KIND_INT96:
		whole = ((tv_int128)tv_load4(value->s + 8) - DAY_OF_1970) * DAY_NS
		      + (int64_t)tv_load8(value->s);
		cell->n = write_decimal(number, whole, 6);
		break;
	default:
		fits = read_whole(column, value, &whole);
		cell->n = fits ? write_decimal(number, whole, column->digits) : 0;
	}
	return fits;
}
