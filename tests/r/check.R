# SPDX-License-Identifier: GPL-3.0-or-later
# check.R ROOT VERB...: the functions of r/traceviz.R against the command, as TAP; these verbs on four samples.
root <- commandArgs(TRUE)[1]
verbs <- commandArgs(TRUE)[-1]
source(file.path(root, "r/traceviz.R"))
count <- 0
check <- function(good, name) {
  count <<- count + 1
  cat(if (isTRUE(good)) "ok" else "not ok", count, "-", name, "\n")
}
data <- function(name) file.path(root, "data", name)

# The CSV of a command as texts.
printed <- function(...) {
  lines <- system2("traceviz", shQuote(c(..., "-q", "--csv")), stdout = TRUE, stderr = FALSE)
  read.csv(text = lines, colClasses = "character", na.strings = "", check.names = FALSE)
}
same <- function(table, texts) {
  identical(names(table), names(texts)) && nrow(table) == nrow(texts) &&
    all(mapply(function(a, b) identical(is.na(a), is.na(b)) && (if (is.character(a)) identical(a, b) else isTRUE(all(a == as.numeric(b), na.rm = TRUE))),
               table, texts))
}

# What differs of a verb: its table, or its failure.
differs <- function(t, path, verb) {
  err <- tempfile()
  on.exit(unlink(err))
  status <- suppressWarnings(system2("traceviz", shQuote(c(verb, path, "-q", "--csv")), stdout = FALSE, stderr = err))
  failed <- NULL
  table <- tryCatch(suppressMessages(t[[gsub("-", "_", verb)]](quiet = TRUE)), error = function(e) failed <<- conditionMessage(e))
  if (status %in% c(0, 3, 4)) !is.null(failed) || !same(table, printed(verb, path))
  else !identical(failed, paste(sub("^traceviz: ", "", readLines(err, warn = FALSE)), collapse = "\n"))
}
for (sample in c("cholesky-paje", "cholesky-2nodes", "mpi-halo", "cholesky-decisions")) {
  t <- suppressMessages(traceviz(data(sample)))
  wrong <- Filter(function(verb) differs(t, data(sample), verb), verbs)
  check(length(wrong) == 0 && length(verbs) > 70, paste(sample, length(verbs), "verbs", paste(wrong, collapse = " ")))
}
said <- NULL
failure <- withCallingHandlers(tryCatch(traceviz(data("mpi-halo"))$states(), error = conditionMessage), message = function(m) {
  said <<- c(said, conditionMessage(m))
  invokeRestart("muffleMessage")
})
check(grepl("^[^\n]*: states: the trace has no states", failure) && length(said) == 1 && grepl("6 phases", said), "what else was said is a message, not the failure")
t <- suppressMessages(traceviz(data("cholesky-paje")))
check(is.character(t$deps()$JobId) && is.numeric(t$deps()$Start), "names are texts, numbers are numbers")
check(same(suppressMessages(t$idle_causes(by = "node")), printed("idle-causes", "--by", "node", data("cholesky-paje"))), "an option")
query <- "SELECT Value, count(*) AS N FROM tasks WHERE Value <> 'it''s' GROUP BY 1"
check(same(t$sql(query), printed("sql", data("cholesky-paje"), query)), "a query")
check(same(suppressMessages(t$series("ready")), printed("series", "ready", data("cholesky-paje"))), "a part of a question")
runs <- traceviz(c(paste0("a=", data("cholesky-dmda.csv")), paste0("b=", data("cholesky-ws.csv"))))
check(same(suppressMessages(runs$compare()), printed("compare", paste0("a=", data("cholesky-dmda.csv")), paste0("b=", data("cholesky-ws.csv")))), "runs")
picture <- tempfile(fileext = ".svg")
suppressMessages(t$plot(output = picture, panels = "spacetime"))
check(file.size(picture) > 10000, "a picture")
check(attr(suppressMessages(t$diagnose(fail_if = "Time > 0")), "verdict") == 3, "a verdict")
check(grepl("no column 'Nope'", tryCatch(t$summary(by = "Nope"), error = conditionMessage)), "a failure is an error with the message")
check(grepl("nothing", tryCatch(t$summary(only = "nothing"), message = conditionMessage)), "a message is a message")
cat("1..", count, "\n", sep = "")
