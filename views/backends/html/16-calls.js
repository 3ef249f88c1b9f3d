// SPDX-License-Identifier: GPL-3.0-or-later
// MPI calls: their columns, what they waited for, where they are drawn. A call is {run, row, call: true}, its row in the table `calls`.
'use strict';

TV.Calls = class {
	constructor(run) {
		this.run = run;
		this.cells = new TV.Cells(run, 'calls');
		[this.begin, this.end] = ['Start', 'End'].map((name) => this.cells.relative(name));
		this.rows = Array.from({ length: this.cells.n }, (_, row) => row).filter((row) => this.has(row));
		this.span = this.rows.reduce(([from, to], row) => [Math.min(from, this.begin[row]), Math.max(to, this.end[row])], [Infinity, -Infinity]);
		this.waiting = this.findWaits();
	}

	// What calls waited, by row: [{state, ns, other, start}]; a line of wait-states has thread and begin of its call. start: BigInt or null.
	findWaits() {
		const lines = new TV.Cells(this.run, 'wait-states'), known = new Map(), waiting = new Map(), key = (cells, row) => `${cells.time('Start', row)} ${cells.text('ResourceId', row)}`;

		for (let i = 0; i < lines.n; i++) {
			const ns = lines.time('Wait', i), at = key(lines, i);

			if (ns !== null && ns > 0n)
				known.set(at, [...known.get(at) || [], { state: lines.text('State', i), ns, other: lines.text('OtherRank', i), start: lines.time('OtherStart', i) }]);
		}
		for (const row of known.size > 0 ? this.rows : []) {
			const waits = known.get(key(this.cells, row));

			if (waits !== undefined)
				waiting.set(row, waits);
		}
		return waiting;
	}

	// null: the report has no calls of that run.
	static of(run) {
		TV.Calls.made = TV.Calls.made || new Map();
		if (!TV.Calls.made.has(run)) {
			const calls = new TV.Calls(run);

			TV.Calls.made.set(run, calls.rows.length > 0 ? calls : null);
		}
		return TV.Calls.made.get(run);
	}

	// Whether there is such a row, with both times.
	has(row) {
		return row < this.cells.n && ['Start', 'End'].every((name) => this.cells.time(name, row) !== null);
	}

	text(name, row) {
		return this.cells.text(name, row);
	}

	words(row) {
		const words = ['Call', 'Site'].map((name) => this.text(name, row)).filter((text) => text !== '');

		return words.length > 0 ? words : [this.text('Class', row)];
	}

	name(row) {
		return this.words(row).join(' ');
	}

	waitsOf(row) {
		return this.waiting.get(row) || [];
	}

	// [[name, text, meaning]], what is read first at the top.
	facts(row) {
		const time = (name) => this.cells.time(name, row), facts = [['Duration', TV.instant(time('End') - time('Start')), ''], ['Start', TV.instant(time('Start')), ''], ['End', TV.instant(time('End')), '']];

		for (const { state, ns, other, start } of this.waitsOf(row))
			facts.push(['Waits', `${TV.instant(ns)}, ${state}${other === '' ? '' : `: for rank ${other}`}${start === null ? '' : `, which came at ${TV.instant(start)}`}`, 'how much of its time it waited, and for whom (traceviz wait-states)']);
		for (const entry of TV.data.table(this.run, 'calls')) {
			const text = ['Start', 'End'].includes(entry.name) ? '' : TV.data.format(entry, row);

			if (text !== '')
				facts.push([entry.name, text.length > 160 ? `${text.slice(0, 160)}…` : text, entry.meaning || '']);
		}
		return facts;
	}
};

// The call that an item of a chart is; null: it is none, or the report has no more than its text.
TV.callOf = (chart, item) => item >= 0 && chart.calls && TV.Calls.of(chart.run) !== null ? { run: chart.run, row: chart.row[item], call: true } : null;
// The chart that has a call; undefined: none.
TV.chartOfCall = ({ run, row }) => TV.scene.charts.find((chart) => chart.calls && chart.run === run && chart.itemOf(row) >= 0);

// A value of a task or a call under the name that tasks have for it.
TV.cellOf = function ({ run, row, call }, name) {
	return call ? TV.valueOf(run, { Value: 'Call', JobId: 'Site' }[name] || name, row, 'calls') : TV.valueOf(run, name, row);
};

// Sums of calls that touch [from, to], {n, names, threads, whole, waits}: maps of {name, n, time (in it), max, wait}, and of waits {n, ns}.
// keep: as of TV.statistics.
TV.sumCalls = function (calls, from, to, keep) {
	const sums = { n: 0, names: new Map(), threads: new Map(), whole: new Map(), waits: new Map() }, work = TV.Work.of(calls.run), span = { begin: from, end: to };
	const add = (groups, name, row, wait) => {
		const group = groups.get(name) || groups.set(name, { name, n: 0, time: 0, max: 0, wait: 0n }).get(name);

		group.n++;
		group.time += Math.max(Math.min(calls.end[row], to) - Math.max(calls.begin[row], from), 0);
		group.max = Math.max(group.max, calls.end[row] - calls.begin[row]);
		group.wait += wait;
	};

	for (const row of calls.rows) {
		const thread = calls.text('ResourceId', row);

		if (!TV.touches(calls.begin[row], calls.end[row], span) || (keep.call && !keep.call(row)) || (keep.worker && !keep.worker(work.number(thread))))
			continue;
		const waits = calls.waitsOf(row), wait = waits.reduce((sum, { ns }) => sum + ns, 0n);

		sums.n++;
		add(sums.names, calls.name(row), row, wait);
		add(sums.threads, thread, row, wait);
		add(sums.whole, 'all', row, wait);
		for (const { state, other, ns } of waits) {
			const name = `${state}${other === '' ? '' : `, for rank ${other}`}`, one = sums.waits.get(name) || { n: 0, ns: 0n };

			sums.waits.set(name, { n: one.n + 1, ns: one.ns + ns });
		}
	}
	return sums;
};

// The numbers of calls between two times, by call and place, by thread, by wait; and of the messages.
TV.callSections = function (run, begin, end, keep) {
	const calls = TV.Calls.of(run), from = Math.max(begin, calls.span[0]), to = Math.max(Math.min(end, calls.span[1]), from), [first, last] = [from, to].map((time) => TV.instant(TV.scene.base + BigInt(Math.round(time))));
	const { n: many, names, threads, whole, waits } = TV.sumCalls(calls, from, to, keep), ms = (ns) => TV.rounded(BigInt(Math.round(ns)));
	const columns = (name) => [[name, ''], ['calls', 'that touch it'], ['time, ms', 'in it'], ['%', 'of the time of these threads'], ['max, ms', 'the longest of them, whole'],
		['wait, ms', 'how long they waited for others, of their whole length (traceviz wait-states)']];
	const line = ({ name, n, time, max, wait }) => [name, TV.number(n), ms(time), TV.percent(BigInt(Math.round(time)), BigInt(Math.round((to - from) * threads.size))), ms(max), TV.rounded(wait)];

	return TV.el('section', {},
		TV.el('h2', {}, `${TV.view.region === null ? 'window' : 'marked region'} ${first} to ${last}`, TV.el('span', {}, ` ${TV.number(many)} MPI calls on ${threads.size} thread${threads.size === 1 ? '' : 's'}`)),
		TV.lines(columns('call'), [...[...names.values()].sort((a, b) => b.time - a.time), ...names.size > 1 ? whole.values() : []].map(line)),
		TV.lines(columns('thread'), [...threads.values()].map(line)),
		waits.size === 0 ? null : TV.lines([['wait', ''], ['times', ''], ['wait, ms', 'of the calls that touch it']], [...waits].map(([name, { n, ns }]) => [name, TV.number(n), TV.rounded(ns)])),
		TV.messageLines(run, from, to));
};

// Messages between nodes that touch a time; null: there are none.
TV.messageLines = function (run, from, to) {
	const cells = new TV.Cells(run, 'messages'), pairs = new Map(), [starts, ends] = ['Start', 'End'].map((name) => cells.relative(name));

	for (let row = 0; row < cells.n; row++) {
		const begin = starts[row], end = ends[row];

		if (!TV.touches(begin, end, { begin: from, end: to }))
			continue;
		const name = `${cells.text('Origin', row)} to ${cells.text('Dest', row)}`, size = cells.time('Size', row), pair = pairs.get(name) || { n: 0, bytes: 0n, time: 0, max: 0 };

		pairs.set(name, { n: pair.n + 1, bytes: pair.bytes + (size || 0n), time: pair.time + end - begin, max: Math.max(pair.max, end - begin) });
	}
	const ms = (ns) => TV.rounded(BigInt(Math.round(ns)));

	return pairs.size === 0 ? null : TV.lines([['messages', 'from rank to rank'], ['number', 'that touch it'], ['bytes', 'their sum'], ['mean, ms', 'from send to arrival'], ['max, ms', 'from send to arrival']],
		[...pairs].map(([name, { n, bytes, time, max }]) => [name, TV.number(n), TV.number(bytes), ms(time / n), ms(max)]));
};
