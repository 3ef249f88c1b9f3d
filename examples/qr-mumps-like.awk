# SPDX-License-Identifier: GPL-3.0-or-later
# qr-mumps-like.awk -- a synthetic run of a multifrontal QR factorization, as traceviz's own tasks CSV.
#
#	awk -f examples/qr-mumps-like.awk [-v fronts=40] [-v seed=1] [-v cpus=4] [-v gpus=1] [-v parents=1] >run.csv
#
# A random elimination tree, numbered in post-order. Most leaves are whole subtrees (do_subtree). Every other front is
# initialized, gets the contributions of its children (block_copy, block_extadd), is factorized by tiles (geqrt, gemqrt,
# tpqrt, tpmqrt) and is cleaned after its parent has used its contribution. Dependencies follow from the data that tasks
# read and write in the order of submission. Tasks are assigned to workers greedily, by priority; a GPU runs only gemqrt
# and tpmqrt. Tag: tile row and column in digits 1 to 8, the front in digits 9 to 16. GFlop of init_front, do_subtree and
# clean_front is the memory in GB that they allocate (negative: free), as qr_mumps writes it. parents=1 adds the column
# ANodeParent, which also follows from the dependencies. The same arguments give the same bytes with any awk.

function random(below) { # integer, from 0
	state = (state * 16807) % 2147483647
	return state % below
}

# Registers an access of the task being submitted; dep[] gets the tasks that it waits for.
function access(data, write,   k, list, m) {
	if (write) {
		m = split(readers[data], list, " ")
		for (k = 1; k <= m; k++) dep[list[k]] = 1
		if (m == 0 && writer[data]) dep[writer[data]] = 1
		readers[data] = ""
		writer[data] = n + 1
	} else {
		if (writer[data]) dep[writer[data]] = 1
		readers[data] = readers[data] " " (n + 1)
	}
}

function submit(value, f, i, j, work, time,   d, list) { # time: ns on a CPU
	n++
	type[n] = value; front[n] = f; tag[n] = sprintf("%04x%04x%08x", i, j, f); gflop[n] = work
	cpu_time[n] = int(time * (95 + random(11)) / 100) * (random(40) == 0 ? 3 : 1)
	gpu_time[n] = value ~ /mqrt/ ? int(time / 12 * (97 + random(7)) / 100) : 0
	priority[n] = depth[f]
	waits[n] = 0
	list = ""
	for (d = 1; d < n; d++) if (d in dep) {
		list = list (list == "" ? "" : " ") d
		after[d] = after[d] " " n
		waits[n]++
	}
	depends[n] = list
	split("", dep)
}

function grow_tree(   f, k, top) { # the last of the fronts without parent become children
	for (f = 1; f <= fronts; f++) {
		k = f == fronts ? top : f < 4 || random(2) ? 0 : 1 + random(3)
		pruned[f] = k == 0 && random(4) > 0
		for (; k > 0 && top > 0; k--) { parent[stack[top]] = f; children[f] = stack[top] " " children[f]; top-- }
		stack[++top] = f
	}
	for (f = fronts; f >= 1; f--) {
		depth[f] = parent[f] ? depth[parent[f]] + 1 : 0
		cols[f] = depth[f] < 2 ? 3 : 1 + random(2); rows[f] = cols[f] + 1 + random(2)
		cube[f] = (20 + random(80)) / 1000	# GFlop of a tile's width cubed
		memory[f] = pruned[f] ? 0.002 + random(20) / 1000 : rows[f] * cols[f] * 0.002
	}
}

function assemble(f,   k, m, list, c, i, j) {
	m = split(children[f], list, " ")
	for (k = 1; k <= m; k++) {
		c = list[k]
		for (j = 1; j <= (pruned[c] ? 1 : cols[c]); j++) {
			access(f ".front", 0); access(c ".front", 0)
			if (!pruned[c]) for (i = j; i <= rows[c]; i++) access(c "." i "." j, 0)
			for (i = 1; i <= rows[f]; i++) access(f "." i "." (j > cols[f] ? cols[f] : j), 1)
			submit(pruned[c] ? "block_copy" : "block_extadd", f, 0, j, 0, 400000)
		}
		access(c ".front", 1)
		submit("clean_front", c, 0, 0, -memory[c], 50000)
	}
}

function tile(value, f, i, k, j, times) {
	access(f ".front", 0)
	if (i > k) access(f "." k "." j, 1)
	if (j > k) access(f "." i "." k, 0)
	access(f "." i "." j, 1)
	submit(value, f, i, j, times * cube[f], times * cube[f] * 1e8)
}

function factorize(f,   i, j, k) {
	if (pruned[f]) {
		access(f ".front", 1)
		submit("do_subtree", f, 0, 0, memory[f], 5000000 + random(30000000))
		return
	}
	access(f ".front", 1)
	submit("init_front", f, 0, 0, memory[f], 200000)
	assemble(f)
	for (k = 1; k <= cols[f]; k++) {
		tile("geqrt", f, k, k, k, 1.25)
		for (j = k + 1; j <= cols[f]; j++) tile("gemqrt", f, k, k, j, 2)
		for (i = k + 1; i <= rows[f]; i++) {
			tile("tpqrt", f, i, k, k, 1.5)
			for (j = k + 1; j <= cols[f]; j++) tile("tpmqrt", f, i, k, j, 3)
		}
	}
}

# The ready task that worker w can run with the highest priority, of several the first submitted; 0 if there is none.
function choose(w,   r, t, best) {
	for (r = 1; r <= nready; r++) {
		t = ready[r]
		if ((w < cpus || gpu_time[t]) && (!best || priority[t] > priority[best] \
			|| priority[t] == priority[best] && t < best)) best = t
	}
	return best
}

function take(t,   r) { for (r = 1; ready[r] != t; r++); ready[r] = ready[nready--] }

# The earliest instant after `now` at which a task ends or is submitted.
function next_event(   w, at) {
	at = 1e15
	for (w = 0; w < cpus + gpus; w++) if (running[w] && end[running[w]] < at) at = end[running[w]]
	if (submitted < n && submit_time(submitted + 1) < at) at = submit_time(submitted + 1)
	return at
}

function submit_time(t) { return (t - 1) * 30000 - 1000000 }	# ns

function schedule(   now, w, t, k, m, list, left) {
	for (left = n; left > 0; now = next_event()) {
		for (w = 0; w < cpus + gpus; w++) if ((t = running[w]) && end[t] <= now) {
			running[w] = 0
			left--
			m = split(after[t], list, " ")
			for (k = 1; k <= m; k++) if (--waits[list[k]] == 0 && list[k] <= submitted) ready[++nready] = list[k]
		}
		for (; submitted < n && submit_time(submitted + 1) <= now; ) if (waits[++submitted] == 0) ready[++nready] = submitted
		for (w = cpus + gpus - 1; w >= 0; w--) if (!running[w] && (t = choose(w))) {
			take(t)
			worker[t] = w; start[t] = now; end[t] = now + (w < cpus ? cpu_time[t] : gpu_time[t]); running[w] = t
			order[++done] = t
		}
	}
}

function ms(ns,   sign) {
	sign = ns < 0 ? "-" : ""
	if (ns < 0) ns = -ns
	return sprintf("%s%d.%06d", sign, int(ns / 1000000), ns % 1000000)
}

BEGIN {
	if (!fronts) fronts = 40
	if (cpus == "") cpus = 4
	if (gpus == "") gpus = 1
	state = 7919 + (seed == "" ? 1 : seed)
	grow_tree()
	for (f = 1; f <= fronts; f++) factorize(f)
	access(fronts ".front", 1)
	submit("clean_front", fronts, 0, 0, -memory[fronts], 50000)
	schedule()
	print "ResourceId,Value,Start,End,JobId,Kind,Node,ResourceType,DependsOn,SubmitTime,SubmitOrder,Priority,Tag,GFlop" \
		(parents ? ",ANodeParent" : "")
	for (k = 1; k <= n; k++) {
		t = order[k]; w = worker[t]
		printf "%s,%s,%s,%s,%d,app,0,%s,%s,%s,%d,%d,%s,%.10g%s\n", w < cpus ? "CPU" w : "CUDA" w - cpus, type[t],
			ms(start[t]), ms(end[t]), t, w < cpus ? "CPU" : "CUDA", depends[t], ms(submit_time(t)), t, priority[t],
			tag[t], gflop[t], parents ? "," parent[front[t]] : ""
	}
}
