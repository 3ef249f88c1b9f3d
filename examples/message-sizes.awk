# message-sizes.awk -- a synthetic run whose messages have many sizes, as a folder of traceviz's own tables.
#
#	awk -f examples/message-sizes.awk [-v nodes=4] [-v workers=6] [-v steps=60] [-v seed=1] -v folder=DIR
#
# In each step a worker runs a task that needs one task of its own node and, every other one, data of another node. A message
# takes 3 us and 1 us per 12500 bytes; above 64 KiB (eager limit) the sender first asks the receiver, which takes 10 us and
# waits for it. Every fourth message shares the network with another one, which doubles its time. The same arguments give
# the same bytes with any awk.

function random(below) { # integer, from 0
	state = (state * 16807) % 2147483647
	return state % below
}

function ms(us) { return sprintf("%d.%03d", int(us / 1000), us % 1000) }

# Sends the data of a task; the time of arrival.
function message(from, to, producer, at,   size, us, key) {
	size = 512 * 2 ^ random(14) * (random(3) ? 2 : 3)
	us = 3 + int(size / 12500)
	if (size > 65536) us += 10 + random(400)
	if (random(4) == 0) us *= 2
	us += random(3)
	key = "m" ++messages
	printf "MPI communication,%s,%d_mpict,%d_mpict,%s,%s,%d,%d\n", key, from, to, ms(at), ms(at + us), size, messages >links
	printf ",MPI communication,%s,%s,%s,message,,,%s\n", ms(at), ms(at + us), key, producer >tasks
	return at + us
}

BEGIN {
	if (!nodes) nodes = 4
	if (!workers) workers = 6
	if (!steps) steps = 60
	state = seed ? seed : 1
	if (folder == "") folder = "."
	tasks = folder "/tasks.csv"; links = folder "/links.csv"; resources = folder "/resources.csv"
	print "ResourceId,ResourceType,Node" >resources
	print "ResourceId,Value,Start,End,JobId,Kind,Node,ResourceType,DependsOn" >tasks
	print "Type,Key,Origin,Dest,Start,End,Size,Tag" >links
	for (n = 0; n < nodes; n++) {
		for (w = 0; w < workers; w++) printf "%d_CPU%d,CPU,%d\n", n, w, n >resources
		printf "%d_mpict,MPI Communication Thread,%d\n", n, n >resources
	}
	for (s = 0; s < steps; s++)
		for (n = 0; n < nodes; n++)
			for (w = 0; w < workers; w++) {
				at = free[n, w]; needs = ""
				if (s) {
					own = (w + random(workers)) % workers
					if (end[n, own, s - 1] > at) at = end[n, own, s - 1]
					needs = n "_" own "_" s - 1
					if (w % 2) {
						from = (n + 1 + random(nodes - 1)) % nodes; which = random(workers)
						arrival = message(from, n, from "_" which "_" s - 1, end[from, which, s - 1])
						if (arrival > at) at = arrival
						needs = needs " m" messages
					}
				}
				us = 600 + random(300)
				type = w % 2 ? "update" : "compute"
				printf "%d_CPU%d,%s,%s,%s,%d_%d_%d,app,%d,CPU,%s\n", n, w, type, ms(at), ms(at + us), n, w, s, n, needs >tasks
				free[n, w] = end[n, w, s] = at + us
			}
}
