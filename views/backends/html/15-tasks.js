// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of tasks: their columns, and the graph. A task is {run, row}, its row in the table `tasks`.
'use strict';

// Whether a link may name a row; those of tiles change.
TV.hasTask = (run, row) => {
	const start = TV.data.values(run, 'tasks', 'Start');

	return start !== null && !TV.tiles && row < start.length && start[row] !== TV.MISSING_INT;
};

// What a link names: a task, or with `what` a call or a gap; null: there is no such one.
TV.selectable = function (run, n, what) {
	const about = TV.data.header.runs[run];

	if (about === undefined || TV.tiles)
		return null;
	if (what === 'call')
		return TV.Calls.of(run) !== null && TV.Calls.of(run).has(n) ? { run, row: n, call: true } : null;
	if (what === 'gap')
		return n < TV.Work.of(run).gap.n ? { run, gap: n } : null;
	return TV.hasTask(run, n) ? { run, row: n } : null;
};

// Start and end of a task, a call or a gap, ns after the scene's base.
TV.timesOf = function ({ run, row, call, gap }) {
	if (gap !== undefined)
		return [TV.Work.of(run).gap.begin[gap], TV.Work.of(run).gap.end[gap]];
	return ['Start', 'End'].map((name) => TV.data.relative(`run${run}.${call ? 'calls' : 'tasks'}.${name}`, TV.scene.base)[row]);
};

// A value of a task as text; '' if it is missing.
TV.valueOf = function (run, name, row, table = 'tasks') {
	const entry = TV.data.table(run, table).find((column) => column.name === name);

	return entry === undefined ? '' : TV.data.format(entry, row);
};

// The values of a table, for many rows of it.
TV.Cells = class {
	constructor(run, table) {
		const { data } = TV, about = (data.header.runs[run].tables || {})[table];

		this.n = about ? about.rows : 0;
		this.of = new Map(data.table(run, table).map((entry) => [entry.name, { entry, values: data.column(entry.column), texts: new Map() }]));
	}

	// '' if it is missing. Each value is written once.
	text(name, row) {
		const column = this.of.get(name);

		if (column === undefined || column.entry.type === 'list')
			return column === undefined ? '' : TV.data.format(column.entry, row);
		const value = column.values[row];

		if (!column.texts.has(value))
			column.texts.set(value, TV.data.format(column.entry, row));
		return column.texts.get(value);
	}

	// A time or a whole number; null if it is missing.
	time(name, row) {
		const column = this.of.get(name);

		return column === undefined || column.values[row] === TV.MISSING_INT ? null : column.values[row];
	}

	// Times, ns after the scene's base; NaN: missing.
	relative(name) {
		const column = this.of.get(name);

		return column === undefined ? [] : TV.unpack.relative(column.values, TV.scene.base, NaN);
	}
};

TV.nameWords = (task) => ['Value', 'JobId'].map((name) => TV.valueOf(task.run, name, task.row)).filter((text) => text !== '');
TV.nameOf = (task) => TV.nameWords(task).join(' ');

// What of a task is read first, in this order.
TV.firstFacts = ['Duration', 'Of its type', 'Start', 'End', 'Idle before', 'Delay', 'Released', 'Last dependency', 'GFlop/s', 'Outlier', 'Iteration', 'ResourceId', 'ResourceType', 'Node'];

// Its duration against the median of its type on the same type of worker; '' where the report has not all of these, or where a
// task is not one row.
TV.againstType = function ({ run, row }) {
	const work = TV.Work.of(run), { type } = work.workers[work.worker[row]] || {};

	if (!work.counted[row] || type === undefined || work.whole !== null || !work.alone || work.about.from !== undefined)
		return '';
	const key = `${work.type[row]} ${type}`, length = work.end[row] - work.start[row];

	if (!work.medians.has(key)) {
		const of = work.workers.map((worker) => worker.type === type), lengths = new Float64Array(work.n);
		let n = 0;

		for (let i = 0; i < work.n; i++)
			if (work.type[i] === work.type[row] && work.counted[i] && of[work.worker[i]])
				lengths[n++] = work.end[i] - work.start[i];
		work.medians.set(key, { n, median: TV.quantile(lengths.subarray(0, n).sort(), 50) });
	}
	const { n, median } = work.medians.get(key);

	return `${median > 0n ? `${(length / Number(median)).toFixed(2)} times ` : ''}the median ${TV.instant(median)} of ${TV.number(n)} ${TV.valueOf(run, 'Value', row)} on ${type}`;
};

// Everything known of a task: [[name, text, meaning]], what is read first at the top. Long lists are cut.
TV.factsOf = function ({ run, row }) {
	const { data } = TV, facts = [], seen = new Set(['Value', 'JobId', 'Start', 'End']);
	const start = data.values(run, 'tasks', 'Start')[row], end = data.values(run, 'tasks', 'End')[row];
	const gflop = data.has(`run${run}.tasks.GFlop`) ? data.values(run, 'tasks', 'GFlop')[row] : NaN;
	const cut = (text) => text.length > 160 ? `${text.slice(0, 160)}…` : text;

	facts.push(['Start', TV.instant(start), ''], ['End', TV.instant(end), ''], ['Duration', TV.instant(end - start), '']);
	const against = TV.againstType({ run, row });

	if (against !== '')
		facts.push(['Of its type', cut(against), 'its duration against the median of its type on the same type of worker']);
	if (!Number.isNaN(gflop) && end > start)
		facts.push(['GFlop/s', TV.number(gflop / Number(end - start) * 1e9), 'work over duration']);
	const last = TV.Graph.of(run).lastDependencies()[row];

	if (last >= 0)
		facts.push(['Last dependency', TV.nameOf({ run, row: last }), 'of the tasks that it depends on, the one that ended last']);
	const before = TV.Work.of(run).before(row);

	if (before !== null)
		facts.push(['Idle before', before.causes.map(([cause, ns]) => `${cause} ${TV.instant(BigInt(ns))}`).join(', '), 'why its worker executed nothing before it']);
	for (const table of TV.perTask) {
		for (const entry of data.table(run, table)) {
			const text = seen.has(entry.name) || data.column(entry.column).length <= row ? '' : data.format(entry, row);

			if (text === '' || (entry.name === 'Outlier' && text === '0'))
				continue;
			seen.add(entry.name);
			facts.push([entry.name, cut(entry.unit && entry.type !== 'time' ? `${text} ${entry.unit}` : text), entry.meaning || '']);
		}
	}
	const place = ([name]) => TV.firstFacts.includes(name) ? TV.firstFacts.indexOf(name) : TV.firstFacts.length;

	return facts.sort((a, b) => place(a) - place(b));
};

// Tables with one row for each row of tasks.
TV.perTask = ['tasks', 'outliers', 'deps', 'iterations', 'release', 'priority'];

// The graph of a run: predecessors, successors, last dependencies. Made when it is first asked for.
TV.Graph = class {
	constructor(run) {
		const { data } = TV, column = (name) => data.column(`run${run}.graph.${name}`);

		this.run = run;
		this.first = column('first');
		this.before = column('before');
		this.job = column('row');
		this.start = data.values(run, 'tasks', 'Start');
		this.ran = TV.unpack.present(this.start || new BigInt64Array(0));
		this.n = this.ran.length;
	}

	static of(run) {
		TV.Graph.made = TV.Graph.made || new Map();
		if (!TV.Graph.made.has(run))
			TV.Graph.made.set(run, new TV.Graph(run));
		return TV.Graph.made.get(run);
	}

	executed(row) {
		return this.ran[row] === 1;
	}

	// Neighbors that ran; what did not run (ghosts) is passed through. step(row) lists rows.
	through(row, step) {
		const found = new Set(), seen = new Set([row]), todo = [...step(row)];

		while (todo.length > 0 && found.size < 10000) {
			const next = todo.pop();

			if (seen.has(next))
				continue;
			seen.add(next);
			if (this.executed(next))
				found.add(next);
			else
				todo.push(...step(next));
		}
		return [...found].sort((a, b) => a - b);
	}

	predecessors(row) {
		return this.first === null ? [] : this.through(this.job ? this.job[row] : row, (i) => {
			const rows = [];

			for (let k = this.first[i]; k < this.first[i + 1]; k++)
				rows.push(this.before[k]);
			return rows;
		});
	}

	successors(row) {
		if (this.first === null)
			return [];
		if (this.next === undefined)
			this.next = TV.invert(this.n, this.first, (i, k) => this.before[k]);
		return this.through(this.job ? this.job[row] : row, (i) => this.next.task.subarray(this.next.first[i], this.next.first[i + 1]));
	}

	// The row of each task's last dependency, -1 if it has none.
	lastDependencies() {
		const last = TV.data.column(`run${this.run}.graph.last`);

		return last === null ? new Int32Array(this.n).fill(-1) : new Int32Array(last.buffer, last.byteOffset, last.length);
	}

	// From a task along last dependencies to the root, and from it to the first task of each step that it
	// released last: [root, ..., task, ...]; at: where the task is in it.
	chain(row) {
		const last = this.lastDependencies(), back = [], seen = new Set([row]);

		for (let at = last[row]; at >= 0 && !seen.has(at); at = last[at]) {
			seen.add(at);
			back.push(at);
		}
		if (this.released === undefined) {
			this.released = new Int32Array(this.n).fill(-1);
			for (let i = 0; i < this.n; i++)
				if (last[i] >= 0 && this.executed(i)) {
					const best = this.released[last[i]];

					if (best < 0 || this.start[i] < this.start[best])
						this.released[last[i]] = i;
				}
		}
		const forward = [];

		for (let at = this.released[row]; at >= 0 && !seen.has(at); at = this.released[at]) {
			seen.add(at);
			forward.push(at);
		}
		return { rows: [...back.reverse(), row, ...forward], at: back.length };
	}
};

// Turns lists of n rows around: to(i, k) is the k-th entry, of row i.
TV.invert = function (n, first, to) {
	const count = new Uint32Array(n + 1), task = new Uint32Array(first[n]);

	for (let i = 0; i < n; i++)
		for (let k = first[i]; k < first[i + 1]; k++)
			count[to(i, k) + 1]++;
	for (let i = 0; i < n; i++)
		count[i + 1] += count[i];
	const at = count.slice();

	for (let i = 0; i < n; i++)
		for (let k = first[i]; k < first[i + 1]; k++)
			task[at[to(i, k)]++] = i;
	return { first: count, task };
};
