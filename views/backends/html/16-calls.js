// SPDX-License-Identifier: GPL-3.0-or-later
// MPI calls: their columns, what they waited for, where they are drawn. A call is {run, row, call: true}, its row in the table `calls`.
'use strict';

TV.Calls = class {
	constructor(run) {
		const { data, scene } = TV;

		this.run = run;
		this.entries = new Map(); // columns
		this.n = data.header.runs[run].tables.calls.rows;
		[this.begin, this.end] = ['Start', 'End'].map((name) => data.relative(`run${run}.calls.${name}`, scene.base));
		this.rows = Array.from({ length: this.n }, (_, row) => row).filter((row) => TV.hasTimes(run, 'calls', row)); // with both times
		this.span = this.rows.reduce(([from, to], row) => [Math.min(from, this.begin[row]), Math.max(to, this.end[row])], [Infinity, -Infinity]);
		// Lines of wait-states by thread and begin of the call.
		this.waits = new Map();
		for (let i = 0; i < (data.header.runs[run].tables['wait-states'] || { rows: 0 }).rows; i++) {
			const key = this.key('wait-states', i);

			this.waits.set(key, [...this.waits.get(key) || [], i]);
		}
	}

	key(table, row) {
		return `${TV.timeAt(this.run, table, 'Start', row)} ${this.cell(table, 'ResourceId', row)}`;
	}

	// A value as text; '' if it is missing.
	cell(table, name, row) {
		const key = `${table} ${name}`;

		if (!this.entries.has(key))
			this.entries.set(key, TV.data.table(this.run, table).find((entry) => entry.name === name));
		return this.entries.get(key) === undefined ? '' : TV.data.format(this.entries.get(key), row);
	}

	// null: the report has no calls of that run.
	static of(run) {
		TV.Calls.made = TV.Calls.made || new Map();
		if (!TV.Calls.made.has(run))
			TV.Calls.made.set(run, TV.data.table(run, 'calls').length > 0 ? new TV.Calls(run) : null);
		return TV.Calls.made.get(run);
	}

	text(name, row) {
		return this.cell('calls', name, row);
	}

	words(row) {
		const words = ['Call', 'Site'].map((name) => this.text(name, row)).filter((text) => text !== '');

		return words.length > 0 ? words : [this.text('Class', row)];
	}

	name(row) {
		return this.words(row).join(' ');
	}

	// What it waited: [{state, ns, other, start}], start and ns as BigInt or null.
	waitsOf(row) {
		return (this.waits.get(this.key('calls', row)) || []).map((i) => ({
			state: this.cell('wait-states', 'State', i), ns: TV.timeAt(this.run, 'wait-states', 'Wait', i),
			other: this.cell('wait-states', 'OtherRank', i), start: TV.timeAt(this.run, 'wait-states', 'OtherStart', i),
		})).filter(({ ns }) => ns !== null && ns > 0n);
	}

	// [[name, text, meaning]], what is read first at the top.
	facts(row) {
		const time = (name) => TV.timeAt(this.run, 'calls', name, row), facts = [['Duration', TV.instant(time('End') - time('Start')), ''], ['Start', TV.instant(time('Start')), ''], ['End', TV.instant(time('End')), '']];

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

TV.hasTimes = (run, table, row) => ['Start', 'End'].every((name) => TV.timeAt(run, table, name, row) !== null);

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
	const { rows = 0 } = TV.data.header.runs[run].tables.messages || {}, pairs = new Map(), text = (name, row) => TV.valueOf(run, name, row, 'messages');

	for (let row = 0; row < rows; row++) {
		const [begin, end] = TV.hasTimes(run, 'messages', row) ? ['Start', 'End'].map((name) => Number(TV.timeAt(run, 'messages', name, row) - TV.scene.base)) : [Infinity, -Infinity];

		if (!TV.touches(begin, end, { begin: from, end: to }))
			continue;
		const name = `${text('Origin', row)} to ${text('Dest', row)}`, size = TV.timeAt(run, 'messages', 'Size', row), pair = pairs.get(name) || { n: 0, bytes: 0n, time: 0, max: 0 };

		pairs.set(name, { n: pair.n + 1, bytes: pair.bytes + (size || 0n), time: pair.time + end - begin, max: Math.max(pair.max, end - begin) });
	}
	const ms = (ns) => TV.rounded(BigInt(Math.round(ns)));

	return pairs.size === 0 ? null : TV.lines([['messages', 'from rank to rank'], ['number', 'that touch it'], ['bytes', 'their sum'], ['mean, ms', 'from send to arrival'], ['max, ms', 'from send to arrival']],
		[...pairs].map(([name, { n, bytes, time, max }]) => [name, TV.number(n), TV.number(bytes), ms(time / n), ms(max)]));
};
