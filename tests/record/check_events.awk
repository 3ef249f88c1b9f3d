# SPDX-License-Identifier: GPL-3.0-or-later
# check_events.awk -- what must hold in the log of a program with tied tasks that ended by itself; input: the output of
# dump_log. Prints what does not hold, and at the end "TASKS tasks, SEGMENTS segments".
function wrong(what) { print NR ": " what ": " $0 }
/^#/ { next }
{
	if ($2 < last[$1])
		wrong("earlier than the event before")
	last[$1] = $2
}
$3 == "IMPLICIT_BEGIN" { depth[$1]++; running[$1, depth[$1]] = $8; is_implicit[$8] = 1 }
$3 == "IMPLICIT_END" { depth[$1]-- }
$3 == "CREATE" {
	if ($7 in created)
		wrong("created twice")
	created[$7] = $2
	if (!($9 ~ /10$/))
		tasks++
	else
		is_wait[$7] = 1
}
$3 == "SCHEDULE" && $8 != "0" {
	if (running[$1, depth[$1]] != $7)
		wrong("the prior task does not run on this thread")
	running[$1, depth[$1]] = $8
	if ($4 == 1) {
		if ($7 in ended)
			wrong("complete twice")
		ended[$7] = 1
	}
	if ($4 != 1 && !is_implicit[$8]) {
		segments++
		begun[$8] = $2
		if ($8 in thread && thread[$8] != $1)
			wrong("a tied task on another thread")
		thread[$8] = $1
	}
	if ($4 == 1 && !is_implicit[$8])
		segments++
}
END {
	for (id in created) {
		if (id in is_wait)
			continue
		if (!(id in ended))
			print id " is not complete"
		if (!(id in begun))
			print id " never began"
		else if (begun[id] < created[id])
			print id " began before it was created"
	}
	print tasks + 0 " tasks, " segments + 0 " segments"
}
