# SPDX-License-Identifier: GPL-3.0-or-later
# traceviz.R -- the verbs of the command traceviz as functions that give data frames.
#
#   source("traceviz.R")
#   t <- traceviz("run/")                        # options of reading: traceviz("run/", zero = "none")
#   causes <- t$idle_causes(by = "node")         # `-` is `_`; an option by its name; TRUE is a flag
#   t$sql("SELECT Value, count(*) AS N FROM tasks GROUP BY 1")
#   t$plot(output = "report.pdf", panels = "spacetime,ready")
#   traceviz(c("a=first/", "b=second/"))$compare()
#
# Times are in ms. A failure is an error with the message of the command; other messages are messages.
# The attribute "verdict" of a result is 3 if a check such as fail_if holds, 4 if it is undecided.

# The words of options: list(by = "node", csv = TRUE) is --by node --csv.
traceviz_words <- function(options) {
  given <- names(options)
  if (is.null(given)) given <- rep("", length(options))
  words <- lapply(seq_along(options), function(i) {
    value <- options[[i]]
    name <- paste0("--", gsub("_", "-", given[i]))
    if (given[i] == "") as.character(value)
    else if (isTRUE(value)) name
    else if (isFALSE(value) || is.null(value)) character()
    else as.vector(rbind(name, as.character(value)))
  })
  as.character(unlist(words))
}

# Runs the command (TRACEVIZ, else that of the path): the path of its output and its status.
traceviz_call <- function(words) {
  out <- tempfile()
  err <- tempfile()
  on.exit(unlink(err))
  status <- system2(Sys.getenv("TRACEVIZ", "traceviz"), shQuote(words), stdout = out, stderr = err)
  lines <- readLines(err, warn = FALSE)
  failed <- !status %in% c(0, 3, 4)
  # The last message is the failure; it may have several lines.
  last <- if (failed) max(1, which(startsWith(lines, "traceviz: "))) else length(lines) + 1
  lines <- sub("^traceviz: ", "", lines)
  for (line in lines[seq_len(last - 1)]) message(line)
  if (failed) {
    unlink(out)
    stop(paste(lines[last:length(lines)], collapse = "\n"), call. = FALSE)
  }
  list(path = out, status = status)
}

# Names of columns that are texts, also where they look like numbers, from the description of all tables.
traceviz_texts <- local({
  known <- NULL
  function() {
    if (is.null(known)) {
      out <- traceviz_call(c("help", "--json"))$path
      all <- paste(readLines(out, warn = FALSE), collapse = "\n")
      unlink(out)
      columns <- regmatches(all, gregexpr('"name":"[^"]*","type":"[a-z]*"', all))[[1]]
      name <- sub('"name":"([^"]*)".*', "\\1", columns)
      text <- grepl('"type":"(label|text|list)"', columns)
      known <<- setdiff(name[text], name[!text])
    }
    known
  }
})

# A verb with its options and words: a data frame, or the lines of a text.
traceviz_run <- function(verb, ..., before = character(), after = character()) {
  options <- list(...)
  text <- verb %in% c("plot", "convert") || any(c("output", "json", "explain", "to") %in% names(options))
  # Only this one prints words where others print CSV.
  csv <- if (verb == "diagnose" && !text) "--csv"
  result <- traceviz_call(c(verb, before, traceviz_words(options), after, csv))
  on.exit(unlink(result$path))
  first <- readLines(result$path, n = 1, warn = FALSE)
  if (length(first) == 0) return(invisible(NULL))
  if (text) return(readLines(result$path, warn = FALSE))
  columns <- names(utils::read.csv(text = first, check.names = FALSE))
  texts <- intersect(columns, traceviz_texts())
  table <- utils::read.csv(result$path, na.strings = "", check.names = FALSE, stringsAsFactors = FALSE, encoding = "UTF-8",
                           colClasses = stats::setNames(rep("character", length(texts)), texts))
  attr(table, "verdict") <- result$status
  table
}

# The verbs on a trace (or several [LABEL=]PATH), as a list of functions.
traceviz <- function(paths, ...) {
  reading <- traceviz_words(list(...))
  out <- traceviz_call(c("help", "verbs"))$path
  verbs <- setdiff(readLines(out), c("record", "help", "generate", "platform"))
  unlink(out)
  force(paths)
  run <- lapply(verbs, function(verb) {
    force(verb)
    query <- verb == "sql"
    function(...) {
      if (query) traceviz_run(verb, ..., before = c(reading, paths))
      else traceviz_run(verb, ..., after = c(reading, paths))
    }
  })
  stats::setNames(run, gsub("-", "_", verbs))
}
