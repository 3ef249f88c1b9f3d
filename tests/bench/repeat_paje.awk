# SPDX-License-Identifier: GPL-3.0-or-later
# repeat_paje.awk -v copies=N: a Paje trace of StarPU that runs N times: each copy later, with job ids and keys of its own;
# containers are made once, and destroyed at the end.
/^%EventDef/ { id = $3; nfields = 0 }
/^%/ {
	print
	if ($1 == "%" && $2 == "JobId") job[id] = nfields + 2
	if ($1 == "%" && $2 == "Key") key[id] = nfields + 2
	nfields += $1 == "%"
	if ($1 == "%EventDef" && $2 == "PajeDestroyContainer") destroy = id
	next
}
NF == 0 { next }
$1 < 8 && $1 != destroy { print; next }
{
	n++
	event[n] = $1
	time[n] = $2
	match($0, /^[0-9]+[ \t]+[0-9.]+/)
	rest[n] = substr($0, RLENGTH + 1)
	if ($2 + 0 > span) span = $2 + 0
}
END {
	for (k = 0; k < copies; k++)
		for (i = 1; i <= n; i++) {
			id = event[i]
			if (id == destroy && k + 1 < copies) continue
			text = rest[i]
			if ((id in job) || (id in key)) {
				m = split(text, field, "\t")	# field[1] is empty: the text begins with a tab
				if (id in job) field[job[id] - 1] = field[job[id] - 1] + k * 1000000
				if (id in key) field[key[id] - 1] = field[key[id] - 1] "_" k
				text = ""
				for (f = 2; f <= m; f++) text = text "\t" field[f]
			}
			printf "%s\t%.9f%s\n", id, time[i] + k * (span + 1), text
		}
}
