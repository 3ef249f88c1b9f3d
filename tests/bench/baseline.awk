# SPDX-License-Identifier: GPL-3.0-or-later
# baseline.awk -v file=JSON -v machine=NAME -- lines "NAME CPU-SECONDS PEAK-KB": those that differ from the medians in JSON by
# more than 5 %, and names that JSON does not have are added to it. One of another machine is replaced.
function change(old, new) { return old > 0 ? 100 * (new / old - 1) : 0 }
function show(name, unit, old, new, format) {
	if (change(old, new) > 5 || change(old, new) < -5)
		printf "  %-34s " format " -> " format " %s, %+.0f %%\n", name, old, new, unit, change(old, new)
	else
		same++
}
BEGIN {
	FS = "[\":, }]+"
	while ((getline line <file) > 0) {
		if (line ~ /"machine"/) { valid = index(line, "\"" machine "\"") > 0; continue }
		if (line !~ /"cpu_s"/ || !valid) continue
		split(line, part, "\"")
		split(part[5], a, /[:,]/); split(part[7], b, /[:,}]/)
		order[n++] = part[2]; cpu[part[2]] = a[2] + 0; kb[part[2]] = b[2] + 0
	}
	close(file)
	FS = " "
	print "Changes against the baseline of this machine, " file ":"
}
{ $0 = $0 }
$1 in cpu { show($1, "s CPU", cpu[$1], $2, "%.3f"); show($1, "MB peak", kb[$1] / 1000, $3 / 1000, "%.0f"); next }
{ order[n++] = $1; cpu[$1] = $2; kb[$1] = $3; added++ }
END {
	printf "  %d numbers within 5 %%, %d measured for the first time\n", same, 2 * added
	printf "{\n  \"machine\": \"%s\",\n  \"measures\": {\n", machine >file
	for (i = 0; i < n; i++)
		printf "    \"%s\": {\"cpu_s\": %.3f, \"peak_kb\": %d}%s\n", order[i], cpu[order[i]], kb[order[i]], i < n - 1 ? "," : "" >file
	print "  }\n}" >file
}
