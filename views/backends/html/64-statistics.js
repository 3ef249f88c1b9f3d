// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of a part of a run, the ones of the passes with the same --begin and --end: sums of time are clipped to
// it, counts and quantiles take the tasks that touch it, at their whole length. Times are whole ns; sums are exact.
'use strict';

// A sum of whole numbers below 2^53 that may itself exceed it.
TV.Sum = class {
	constructor() {
		this.low = 0;
		this.high = 0n;
	}

	add(x) {
		this.low += x;
		if (this.low > 4503599627370496) {
			this.high += BigInt(this.low);
			this.low = 0;
		}
	}

	value() {
		return this.high + BigInt(this.low);
	}
};

// Quantile of type 7 at percent / 100 of ascending whole numbers, rounded to a whole one (BigInt).
TV.quantile = function (sorted, percent) {
	const h = (sorted.length - 1) * percent, at = Math.floor(h / 100), rest = BigInt(h % 100);
	const low = BigInt(sorted[at]), exact = 100n * low + (rest === 0n ? 0n : rest * (BigInt(sorted[at + 1]) - low));

	return (2n * exact + 100n) / 200n;
};

TV.percents = [0, 5, 25, 50, 75, 95, 100];

// What a run's statistics need, in the order that they need it; made once.
TV.Work = class {
	constructor(run) {
		const { data } = TV, { base } = TV.scene, column = (name) => data.column(`run${run}.${name}`);

		this.run = run;
		this.about = data.header.runs[run];
		this.span = [this.about.begin, this.about.finish].map((time) => Number(BigInt(time) - base));
		this.workers = Array.from(column('worker.name') || [], (name, w) => ({
			name: data.string(name), type: data.string(column('worker.rtype')[w]), node: column('worker.node')[w],
			nodeName: data.string(column('node.name')[column('worker.node')[w]]), id: name,
		}));
		this.start = data.relative(`run${run}.tasks.Start`, base);
		this.end = data.relative(`run${run}.tasks.End`, base);
		this.type = column('tasks.Value');
		this.n = this.start.length;
		this.medians = new Map(); // of durations, by type and type of worker
		this.counted = this.whatCounts();
		this.places();
		this.wholes();
		this.gaps();
	}

	static of(run) {
		TV.Work.made = TV.Work.made || new Map();
		if (!TV.Work.made.has(run))
			TV.Work.made.set(run, new TV.Work(run));
		return TV.Work.made.get(run);
	}

	// The passes mark the rows that they count; without marks, what ran and is of kind app.
	whatCounts() {
		const { data } = TV, { run } = this, { ran } = TV.Graph.of(run), outlier = data.values(run, 'outliers', 'Outlier'), kind = data.values(run, 'tasks', 'Kind');
		const known = outlier === null ? null : TV.unpack.present(outlier);

		return ran.map((one, i) => one && (known !== null ? known[i] : kind === null || ['', 'app'].includes(data.string(kind[i]))) ? 1 : 0);
	}

	// worker[i] of row i, -1 if it did not run; order: rows by worker and start, first[w] to first[w + 1] - 1.
	places() {
		const { n, workers, start, end } = this, { ran } = TV.Graph.of(this.run), of = new Map(workers.map((worker, w) => [worker.id, w]));
		const id = TV.data.values(this.run, 'tasks', 'ResourceId'), count = new Uint32Array(workers.length + 1);

		this.worker = new Int32Array(n).fill(-1);
		for (let i = 0; i < n; i++) {
			const w = ran[i] ? of.get(id[i]) : undefined;

			if (w === undefined)
				continue;
			this.worker[i] = w;
			count[w + 1]++;
		}
		for (let w = 0; w < workers.length; w++)
			count[w + 1] += count[w];
		const at = count.slice(), sooner = (a, b) => start[a] - start[b] || end[a] - end[b] || a - b;

		this.first = count;
		this.order = new Uint32Array(count[workers.length]);
		for (let i = 0; i < n; i++)
			if (this.worker[i] >= 0)
				this.order[at[this.worker[i]]++] = i;
		// In that order: starts, and until when those so far have ended.
		this.starts = new Float64Array(this.order.length);
		this.until = new Float64Array(this.order.length);
		for (let w = 0; w < workers.length; w++) {
			const own = this.order.subarray(count[w], count[w + 1]);

			// Most traces have them sorted.
			if (own.some((row, k) => k > 0 && sooner(own[k - 1], row) > 0))
				own.sort(sooner);
			for (let k = count[w]; k < count[w + 1]; k++) {
				this.starts[k] = start[this.order[k]];
				this.until[k] = Math.max(end[this.order[k]], k > count[w] ? this.until[k - 1] : -Infinity);
			}
		}
		// Whether each row is a task of its own: no teams.
		const { job } = TV.Graph.of(this.run);

		this.alone = !job || this.order.every((row) => job[row] === row);
	}

	// Segments of a suspended task are one task: whole[i], its first row, and spent[i], its time; null if there are none.
	wholes() {
		const { data } = TV, { run, n } = this, column = (name) => data.values(run, 'tasks', name), segment = column('Segment');

		this.whole = null;
		this.spent = null;
		if (segment === null || !segment.some((value) => value !== TV.MISSING_INT))
			return;
		const keys = ['JobId', 'Instance'].map(column).filter((values) => values !== null), first = new Map();
		const spent = new Float64Array(n);

		this.whole = Uint32Array.from({ length: n }, (_, i) => {
			const key = segment[i] === TV.MISSING_INT ? i : keys.map((values) => values[i]).join(' ');

			if (!first.has(key))
				first.set(key, i);
			return first.get(key);
		});
		for (let i = 0; i < n; i++)
			if (this.worker[i] >= 0)
				spent[this.whole[i]] += this.end[i] - this.start[i];
		this.spent = spent.map((_, i) => spent[this.whole[i]]);
	}

	gaps() {
		const { data } = TV, { run } = this, { base } = TV.scene, column = (name) => data.column(`run${run}.${name}`);

		this.causes = this.about.causes || [];
		this.gap = {
			n: column('gap.worker') === null ? 0 : column('gap.worker').length, worker: column('gap.worker'),
			next: column('gap.next'), after: column('gap.after'), first: column('gap.first'),
			culprit: column('gap.culprit'), row: column('gap.culprit.row'), label: column('gap.culprit.label'), time: column('gap.culprit.time'),
			count: column('gap.culprit.count'), own: column('gap.culprit.own'),
		};
		this.gap.begin = this.gap.n > 0 ? data.relative(`run${run}.gap.begin`, base) : [];
		this.gap.end = this.gap.n > 0 ? data.relative(`run${run}.gap.end`, base) : [];
		this.cut = { cause: column('cut.cause'), at: this.gap.n > 0 ? data.relative(`run${run}.cut.at`, 0n) : [] };
		const node = column('nodecause.node');

		if (node === null)
			return;
		this.common = { cause: column('nodecause.cause'), begin: data.relative(`run${run}.nodecause.begin`, base), length: data.relative(`run${run}.nodecause.length`, 0n), first: [] };
		for (let k = 0; k <= node.length; k++)
			while (this.common.first.length <= (k < node.length ? node[k] : data.column(`run${run}.node.name`).length))
				this.common.first.push(k);
	}

	// Of the worker of that name; -1: none has it.
	number(name) {
		this.numbers = this.numbers || new Map(this.workers.map((worker, w) => [worker.name, w]));
		return this.numbers.has(name) ? this.numbers.get(name) : -1;
	}

	// Each part of a gap that is in [from, to]: visit(cause, begin, end).
	causesOf(g, from, to, visit) {
		const { gap, cut, common, causes } = this, last = gap.first[g + 1];

		for (let k = gap.first[g]; k < last; k++) {
			const begin = Math.max(gap.begin[g] + cut.at[k], from), end = Math.min(k + 1 < last ? gap.begin[g] + cut.at[k + 1] : gap.end[g], to);

			if (begin >= end)
				continue;
			if (cut.cause[k] < causes.length) {
				visit(cut.cause[k], begin, end);
				continue;
			}
			const { node } = this.workers[gap.worker[g]], stop = common.first[node + 1];

			for (let c = Math.max(TV.after(common.begin, begin, common.first[node], stop) - 1, common.first[node]); c < stop && common.begin[c] < end; c++) {
				const b = Math.max(begin, common.begin[c]), e = Math.min(end, common.begin[c] + common.length[c]);

				if (b < e)
					visit(common.cause[c], b, e);
			}
		}
	}

	// How long a worker waited before a task, and why: {gap, length, causes: [[name, ns]]}, null if it did not.
	before(row) {
		if (this.gapBefore === undefined) {
			this.gapBefore = new Int32Array(this.n).fill(-1);
			for (let g = 0; g < this.gap.n; g++)
				if (this.gap.next[g] !== TV.NONE)
					this.gapBefore[this.gap.next[g]] = g;
		}
		const g = this.gapBefore[row];

		return g < 0 ? null : { gap: g, length: this.gap.end[g] - this.gap.begin[g], causes: this.reasons(g) };
	}

	// [[cause, ns]] of a gap, longest first.
	reasons(g) {
		const time = new Map();

		this.causesOf(g, -Infinity, Infinity, (cause, begin, end) => time.set(cause, (time.get(cause) || 0) + end - begin));
		return [...time].sort((a, b) => b[1] - a[1]).map(([cause, ns]) => [this.causes[cause], ns]);
	}

	// The gap of a worker at a time; -1: it has none then.
	gapAt(w, time) {
		const { begin, end, worker, n } = this.gap;

		if (this.gapFirst === undefined) {
			this.gapFirst = new Uint32Array(this.workers.length + 1);
			for (let g = 0; g < n; g++)
				this.gapFirst[worker[g] + 1]++;
			for (let k = 0; k < this.workers.length; k++)
				this.gapFirst[k + 1] += this.gapFirst[k];
		}
		if (w < 0)
			return -1;
		const g = TV.after(begin, time, this.gapFirst[w], this.gapFirst[w + 1]) - 1;

		return g >= this.gapFirst[w] && end[g] > time ? g : -1;
	}

	// What went on elsewhere for the largest part of a gap: {what, name, time, count: of tasks, messages or calls, row: of them the task or
	// message with the largest part, -1: none, own: that part}.
	culprit(g) {
		const { gap, run } = this, row = gap.row[g] === TV.NONE || !TV.hasTask(run, gap.row[g]) ? -1 : gap.row[g];

		const what = this.about.culprits[gap.culprit[g]];

		return {
			what, name: [what, TV.data.string(gap.label[g])].filter((text) => text !== '').join(' '), row, time: gap.time[g],
			count: gap.count ? gap.count[g] : 1, own: gap.own ? gap.own[g] : gap.time[g],
		};
	}
};

// As a window chooses tasks: an instant inside it, or more than an edge of it.
TV.touches = (begin, end, span) => begin <= span.end && end >= span.begin && (begin === end || (begin < span.end && end > span.begin));

// Statistics of [begin, end] (ns after the scene's base) of a run. keep: {task(row), worker(w)}, what is asked for;
// without them everything. Idle time and its causes are those of the workers, whatever tasks are asked for.
TV.statistics = function (run, begin, end, keep = {}) {
	const work = TV.Work.of(run), from = Math.max(Math.round(begin), work.span[0]), to = Math.max(Math.min(Math.round(end), work.span[1]), from);
	const kept = work.workers.map((_, w) => !keep.worker || keep.worker(w)), types = new Map();
	const workers = work.workers.map((worker) => ({ ...worker, tasks: 0, busy: 0n, other: 0n, idle: 0n, times: new Map(), causes: work.causes.map(() => new TV.Sum()) }));

	work.workers.forEach((_, w) => {
		if (kept[w])
			TV.workerStatistics(work, w, from, to, keep.task, workers[w], types);
	});
	const causes = work.causes.map((name) => ({ name, time: 0n }));

	for (let g = 0; g < work.gap.n; g++)
		if (kept[work.gap.worker[g]] && work.gap.end[g] > from && work.gap.begin[g] < to)
			work.causesOf(g, from, to, (cause, b, e) => workers[work.gap.worker[g]].causes[cause].add(e - b));
	for (const worker of workers) {
		worker.causes = worker.causes.map((sum) => sum.value());
		worker.causes.forEach((time, c) => {
			causes[c].time += time;
		});
		worker.length = BigInt(to - from);
		worker.idle = worker.length - worker.busy - worker.other;
	}
	const { base } = TV.scene, list = [...types.values()].map((type) => {
		const drawn = TV.typeOf({ run, row: type.row });

		return { ...TV.finishType(type), drawn, place: drawn === null ? 1e9 : TV.scene.types.indexOf(drawn) };
	});

	list.sort((a, b) => a.place - b.place || TV.natural.compare(a.name, b.name));
	return {
		run, begin: base + BigInt(from), end: base + BigInt(to), length: BigInt(to - from), types: list, all: TV.allTypes([...types.values()]),
		workers: workers.filter((_, w) => kept[w]), causes, whole: BigInt(to - from) * BigInt(kept.filter((k) => k).length),
	};
};

// The type of the legend that a task has in the figure; null if it is not drawn.
TV.typeOf = function ({ run, row }) {
	const chart = TV.scene.charts.find((one) => one.tasks && one.run === run && one.itemOf(row) >= 0);

	return chart === undefined ? null : chart.type[chart.style[chart.itemOf(row)] >> 1];
};

// row: one of its tasks; n: tasks, where each row is one; jobs: the tasks, where not.
TV.emptyType = (name, row) => ({ name, row, time: 0n, durations: [], n: 0, jobs: new Set() });

// All types as one.
TV.allTypes = function (types) {
	const all = TV.emptyType('', -1);

	for (const type of types) {
		all.time += type.time;
		all.n += type.n;
		for (const job of type.jobs)
			all.jobs.add(job);
	}
	all.durations = types.flatMap((type) => type.durations);
	return TV.finishType(all);
};

TV.finishType = function ({ name, row, time, durations, n: single, jobs }) {
	const sorted = Float64Array.from(durations).sort(), total = new TV.Sum(), n = BigInt(sorted.length);

	for (const duration of sorted)
		total.add(duration);
	return {
		name, row, tasks: single + jobs.size, executions: sorted.length, time, total: total.value(),
		mean: n === 0n ? null : (2n * total.value() + n) / (2n * n),
		quantiles: n === 0n ? null : TV.percents.map((percent) => TV.quantile(sorted, percent)),
	};
};

// Adds what a worker executed in [from, to] to it and to the types, by string.
TV.workerStatistics = function (work, w, from, to, test, worker, types) {
	const { start, end, counted, order, whole, spent } = work, plain = whole === null && work.alone, sums = new Map();
	const stop = TV.after(work.starts, to, work.first[w], work.first[w + 1]);
	const { job } = TV.Graph.of(work.run), busy = new TV.Sum(), covered = new TV.Sum(), met = new Set(), span = { begin: from, end: to };
	let busyTo = from, coveredTo = from, tasks = 0;

	for (let k = Math.min(TV.after(work.until, from - 1, work.first[w], stop), stop); k < stop; k++) {
		const row = order[k], first = start[row], last = Math.min(end[row], to);

		if (last > coveredTo && first < to) {
			covered.add(last - Math.max(first, coveredTo));
			coveredTo = last;
		}
		if (!counted[row])
			continue;
		if (last > busyTo && first < to) {
			busy.add(last - Math.max(first, busyTo));
			busyTo = last;
		}
		if (!TV.touches(first, end[row], span))
			continue;
		if (whole !== null)
			met.add(whole[row]);
		else
			tasks++;
		if (test && !test(row))
			continue;
		const id = work.type[row];

		if (!sums.has(id)) {
			sums.set(id, new TV.Sum());
			if (!types.has(id))
				types.set(id, TV.emptyType(TV.data.string(id), row));
		}
		const type = types.get(id);

		sums.get(id).add(Math.max(last - Math.max(first, from), 0));
		if (plain) {
			type.n++;
			type.durations.push(end[row] - first);
			continue;
		}
		const key = whole === null ? job[row] : whole[row];

		// Segments of one task count once, with all their time.
		if (whole === null || !type.jobs.has(key))
			type.durations.push(whole === null ? end[row] - first : spent[row]);
		type.jobs.add(key);
	}
	for (const [id, sum] of sums) {
		types.get(id).time += sum.value();
		worker.times.set(TV.data.string(id), sum.value());
	}
	worker.busy = busy.value();
	worker.other = covered.value() - worker.busy;
	worker.tasks = tasks + met.size;
};
