# SPDX-License-Identifier: GPL-3.0-or-later
# many-nodes.awk -- a synthetic run on many nodes, as traceviz's own tasks CSV.
#
#	awk -f examples/many-nodes.awk [-v nodes=64] [-v cpus=26] [-v gpus=4] [-v tasks=24] [-v seed=1] >run.csv
#
# Each worker runs `tasks` tasks one after the other (a GPU `tasks` / 2 in bursts). Every 9th node starts at 300 ms, the
# others within the first 50 ms; the node in the middle has a quarter more tasks and ends late; one at a quarter of the nodes
# computes faster. The same arguments give the same bytes with any awk.

function random(below) { # integer, from 0
	state = (state * 16807) % 2147483647
	return state % below
}

function ms(us) { return sprintf("%d.%03d", int(us / 1000), us % 1000) }

function run(node, kind, number, count, at, speed,   i, t, length_us, type) {
	for (i = 0; i < count; i++) {
		t = random(10)
		type = t < 7 ? "gemm" : t < 8 ? "trsm" : t < 9 ? "syrk" : "potrf"
		length_us = int((kind == "CPU" ? 1 : 0.5) * 1440000 / tasks * (80 + random(41)) / 100 * speed)
		if (random(200) == 0) length_us *= 2
		printf "%d_%s%d,%s,%s,%s,%d,%d,%s,app\n", node, kind, number, type, ms(at), ms(at + length_us), job++, node, kind
		at += length_us + random(int((kind == "CPU" ? 1 : 2) * 360000 / tasks))
	}
}

BEGIN {
	if (!nodes) nodes = 64
	if (cpus == "") cpus = 26
	if (gpus == "") gpus = 4
	if (!tasks) tasks = 24
	state = 7919 + (seed == "" ? 1 : seed)
	print "ResourceId,Value,Start,End,JobId,Node,ResourceType,Kind"
	for (n = 0; n < nodes; n++) {
		start = n % 9 == 0 ? 300000 : random(50000)
		count = n == int(nodes * 5 / 8) ? int(tasks * 5 / 4) : n % 9 == 0 ? int(tasks * 5 / 6) : tasks
		speed = n == int(nodes / 4) ? 0.8 : 1
		for (w = 0; w < cpus; w++) run(n, "CPU", w, count, start + random(3000), speed)
		for (w = 0; w < gpus; w++) run(n, "CUDA", w, count, start + random(3000), speed)
	}
}
