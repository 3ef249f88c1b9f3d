# SPDX-License-Identifier: GPL-3.0-or-later
# fxt-bind.awk -- bindings of StarPU's workers for --bind, from the resources of an FxT trace with a topology.xml:
#	awk -F, -f fxt-bind.awk run/resources.csv >bind.csv
# A driver thread T3 is bound to the PU of hwloc's logical index 3, whose Cpuset has the number of the operating system.
NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; print "ResourceId,Cpuset"; next }
$c["Depth"] != "" { if ($c["ResourceType"] == "PU") cpu[$c["Order"]] = $c["Cpuset"]; next }
$c["Parent"] ~ /^([0-9]+_)?T[0-9]+(_[0-9]+)?$/ {
	pu = $c["Parent"]
	sub(/^.*T/, "", pu)
	sub(/_.*/, "", pu)
	name[++n] = $c["ResourceId"]
	at[n] = pu
}
END { for (i = 1; i <= n; i++) if (at[i] in cpu) print name[i] "," cpu[at[i]] }
