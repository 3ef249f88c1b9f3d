/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cell.h -- a value of a Parquet file as the text of a cell. */
#ifndef TV_PARQUET_CELL_H
#define TV_PARQUET_CELL_H

#include "convert/parquet/parquet.h"

enum { TV_PARQUET_NUMBER_MAX = 96 };

/* Text of a value, in `number` or where the value is. false: a whole number that has no bytes, or more than 16. */
bool tv_parquet_text(const struct tv_parquet_column *column, const struct tv_parquet_value *value,
		     char number[TV_PARQUET_NUMBER_MAX], struct tv_csv_cell *cell);

#endif
