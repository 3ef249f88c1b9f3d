/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.h -- `help WORD` of words that no verb, option or page is named after. */
#ifndef TV_CLI_WORDS_H
#define TV_CLI_WORDS_H

#include <stdbool.h>

#include "trace/output.h"

/* Prints what a word means: the id of a finding, a cause of idle time, a loss of `efficiency`, a word of the glossary (in any case
 * of letters). False, and nothing is printed: it is none of these. Cost O(glossary). */
bool tv_explain_word(const char *word, struct tv_output *out);

#endif
