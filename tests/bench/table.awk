# SPDX-License-Identifier: GPL-3.0-or-later
# table.awk -v machine=NAME -- lines "NAME CPU-SECONDS PEAK-KB WALL-SECONDS": a table of those that users wait for.
function row(name, what, peer, beside) {
	if (!(name in wall))
		return
	printf "| %s | %.2f | %.2f | %.0f | %s |\n", what, wall[name], cpu[name], kb[name] / 1000, \
		(peer in wall) ? sprintf("%s: %.2f s", beside, wall[peer]) : ""
}
{ cpu[$1] = $2; kb[$1] = $3; wall[$1] = $4 }
END {
	print "| Work (" machine ") | wall, s | CPU, s | peak, MB | beside it |"
	print "|---|---|---|---|---|"
	row("fxt_pdf", "FxT, 92 MB, 48,000 tasks: report, PDF", "fxt_libfxt", "a bare loop of libfxt over the file")
	row("fxt_tables", "the same: all tables as CSV", "fxt_libfxt", "that loop")
	row("paje_read", "Pajé, 60 MB: bounds", "pj_dump", "`pj_dump`")
	row("paje_convert", "the same: all tables as CSV", "pj_dump", "`pj_dump`")
	row("csv.bounds.1000000", "CSV, 1,000,000 tasks, 53 MB: bounds", "csv.mawk.1000000", "`mawk`, a sum of two columns")
	row("csv.dependencies.report.1000000", "CSV, 1,000,000 tasks, 3,000,000 dependencies: report, PDF")
	row("diagnose.1000000", "the same: diagnosis in words")
	row("csv.dependencies.report.10000000", "CSV, 10,000,000 tasks, 30,000,000 dependencies (`LARGE=1`): report, PDF")
	row("report.pdf.2000000", "64 nodes, 1920 workers, 2,000,000 tasks, 1,000,000 messages: report, PDF")
}
