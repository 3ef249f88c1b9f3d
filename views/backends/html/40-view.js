// SPDX-License-Identifier: GPL-3.0-or-later
// What is seen: window of time, selection, hidden types, collapsed groups, theme. The fragment of the address is
// a link to it; nothing else is remembered. Whoever changes the view calls a function of TV.view; what shows it
// observes 'view' (anything changed), 'window', 'selection'.
'use strict';

TV.View = class {
	constructor(scene) {
		this.scene = scene;
		this.begin = scene.begin; // ns after scene.base
		this.end = scene.end;
		this.hidden = new Set(); // names of types
		this.collapsed = new Set(); // keys of groups
		this.rows = new Map(); // frame -> [first, last] share of its lines
		this.panels = new Set(); // names of closed panels
		this.selection = null; // {run, row}: a task
		this.call = null; // {run, row, call: true}: an MPI call
		this.gap = null; // {run, gap}: a time in which a worker executed nothing; one of the three is selected
		this.region = null; // {begin, end}: marked by dragging; rows: {run, workers: Set of their numbers}, if not all
		this.marked = null; // {run, rows}, what a search found
		this.found = []; // all of it, {run, row}
		this.foundCalls = []; // the calls, {run, row, call: true}
		this.query = ''; // what was searched
		this.filter = false; // whether only what was found is shown
		this.tab = null; // name of the open table
		this.answer = true; // whether it is open
		this.finding = null; // id of the one that is shown
		this.plan = null; // what it shows: TV.planOf
		this.theme = 'auto';
		this.palette = 'trace';
		this.past = [];
		this.future = [];
		this.min = 20; // shortest window, ns
	}

	changed(what) {
		if (what)
			TV.emit(what, this);
		TV.emit('view', this);
		clearTimeout(this.timer);
		this.timer = setTimeout(() => this.write(), 150);
	}

	// Shows [begin, end]. keep: the window before can be gone back to.
	show(begin, end, keep = true) {
		const { scene } = this, length = TV.clamp(end - begin, this.min, 1.04 * (scene.end - scene.begin));
		const middle = (begin + end) / 2, slack = 0.02 * length; // of what is seen, at either end of the run

		begin = end - begin === length ? begin : middle - length / 2;
		begin = TV.clamp(begin, scene.begin - slack, scene.end + slack - length);
		if (keep)
			this.remember();
		this.begin = begin;
		this.end = begin + length;
		this.changed('window');
	}

	remember() {
		const last = this.past[this.past.length - 1];

		if (last === undefined || last[0] !== this.begin || last[1] !== this.end)
			this.past.push([this.begin, this.end]);
		if (this.past.length > 200)
			this.past.shift();
		this.future.length = 0;
	}

	// Steps of one movement (a wheel, a key held) are one step of the history.
	movement() {
		const now = performance.now(), first = this.moved === undefined || now - this.moved > 600;

		this.moved = now;
		return first;
	}

	zoom(time, factor) {
		this.show(time - (time - this.begin) * factor, time + (this.end - time) * factor, this.movement());
	}

	pan(share) {
		const by = share * (this.end - this.begin);

		this.show(this.begin + by, this.end + by, this.movement());
	}

	back() {
		this.step(this.past, this.future);
	}

	forward() {
		this.step(this.future, this.past);
	}

	step(from, to) {
		if (from.length === 0)
			return;
		to.push([this.begin, this.end]);
		[this.begin, this.end] = from.pop();
		this.changed('window');
	}

	reset() {
		this.rows.clear();
		this.show(this.scene.begin, this.scene.end);
	}

	// Shows what is selected, with some of what is around it.
	fit() {
		if (this.region !== null) {
			this.show(this.region.begin, this.region.end);
			return;
		}
		if (this.chosen() !== null)
			this.showAround(...TV.timesOf(this.chosen()));
	}

	// A task, a call or a gap; null: nothing.
	select(one) {
		this.take(one);
		this.changed('selection');
	}

	take(one) {
		this.call = one !== null && one.call ? one : null;
		this.gap = one !== null && one.gap !== undefined ? one : null;
		this.selection = this.call === null && this.gap === null ? one : null;
	}

	chosen() {
		return this.selection || this.call || this.gap;
	}

	mark(region) {
		this.region = region;
		this.changed('region');
	}

	allFound() {
		return [...this.found, ...this.foundCalls];
	}

	// Rows of the calls of a run that were found.
	foundRows(run) {
		if (this.rowsFound === undefined || this.rowsFound.of !== this.foundCalls || this.rowsFound.run !== run)
			this.rowsFound = { of: this.foundCalls, run, rows: new Set(this.foundCalls.filter((one) => one.run === run).map(({ row }) => row)) };
		return this.rowsFound.rows;
	}

	// Searches; filter: shows only what is found.
	search(query, filter) {
		this.query = query;
		this.filter = filter && query.trim() !== '';
		this.changed('search');
	}

	openAnswer(open) {
		this.answer = open;
		this.changed('answer');
	}

	// Shows what a finding is about; keep: also if it is shown already.
	showFinding(id, keep = false) {
		this.findFinding(keep || id !== this.finding ? id : null);
		this.answer = true;
		if (this.plan !== null) {
			this.show(this.plan.begin, this.plan.end);
			this.select(this.plan.task);
		}
		this.changed('answer');
	}

	findFinding(id) {
		const finding = (TV.data.header.answer || { findings: [] }).findings.find((one) => one.id === id);

		this.finding = finding === undefined ? null : id;
		this.plan = finding === undefined ? null : TV.planOf(finding);
	}

	openTab(name) {
		this.tab = this.tab === name ? null : name;
		this.changed('tab');
	}

	// The same of the marked region: of its rows alone, if it has some.
	keepMarked(run) {
		const keep = this.keep(run), rows = this.region && this.region.rows;

		return !rows ? keep : { ...keep, worker: (w) => rows.run === run && rows.workers.has(w) && (!keep.worker || keep.worker(w)) };
	}

	// Tests of what of a run is shown: {task(row), call(row), worker(w)}; those that all pass are missing.
	keep(run) {
		const wanted = this.filter ? TV.wanted(run, this.query) : {}, shown = TV.shownRows(run, this.hidden, true), calls = TV.Calls.of(run);

		if (this.hidden.size === 0)
			return wanted;
		return {
			worker: wanted.worker, task: (row) => shown(row) && (!wanted.task || wanted.task(row)),
			call: (row) => !this.hidden.has(calls.text('Class', row)) && (!wanted.call || wanted.call(row)),
		};
	}

	// [begin, end] with some of what is around it.
	showAround(begin, end) {
		const room = Math.max((end - begin) * 1.5, this.min);

		this.show(begin - room, end + room);
	}

	toggleType(name) {
		if (!this.hidden.delete(name))
			this.hidden.add(name);
		this.changed('types');
	}

	// Only that type; again: all.
	isolate(name) {
		const others = this.scene.types.filter((type) => type.name !== name).map((type) => type.name);
		const alone = !this.hidden.has(name) && others.every((other) => this.hidden.has(other));

		this.hidden = new Set(alone ? [] : others);
		this.changed('types');
	}

	toggleGroup(key) {
		if (!this.collapsed.delete(key))
			this.collapsed.add(key);
		this.changed('layout');
	}

	togglePanel(name) {
		if (!this.panels.delete(name))
			this.panels.add(name);
		this.changed('layout');
	}

	// Lines [from, to] (shares of 1) of a frame.
	showRows(frame, from, to) {
		const length = TV.clamp(to - from, 0.001, 1);

		from = TV.clamp(from, 0, 1 - length);
		if (length > 0.999)
			this.rows.delete(frame);
		else
			this.rows.set(frame, [from, from + length]);
		this.changed('layout');
	}

	isDark() {
		return this.theme === 'dark' || (this.theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
	}

	// The fragment: what differs from the view at the start.
	link() {
		const { scene } = this, parts = [], add = (key, value) => parts.push(`${key}=${value}`);
		const list = (names) => [...names].map(encodeURIComponent).join(',');
		const absolute = (time) => String(scene.base + BigInt(Math.round(time)));

		if (this.begin !== scene.begin || this.end !== scene.end)
			add('w', `${absolute(this.begin)},${absolute(this.end)}`);
		if (this.chosen() !== null && !TV.tiles)
			add('s', [this.chosen().run, this.gap ? this.gap.gap : this.chosen().row, ...this.call ? ['call'] : this.gap ? ['gap'] : []].join(','));
		if (this.region !== null)
			add('r', [absolute(this.region.begin), absolute(this.region.end), ...this.region.rows ? [this.region.rows.run, [...this.region.rows.workers].sort((a, b) => a - b).join('.')] : []].join(','));
		if (this.hidden.size > 0)
			add('h', list(this.hidden));
		if (this.collapsed.size > 0)
			add('c', list(this.collapsed));
		if (this.panels.size > 0)
			add('x', list(this.panels));
		if (this.rows.size > 0)
			add('y', [...this.rows].map(([frame, [from, to]]) => `${frame}:${from.toFixed(5)}:${to.toFixed(5)}`).join(','));
		if (this.query.trim() !== '')
			add(this.filter ? 'o' : 'q', encodeURIComponent(this.query));
		if (this.tab !== null)
			add('i', encodeURIComponent(this.tab));
		if (!this.answer)
			add('a', '0');
		if (this.finding !== null)
			add('f', this.finding);
		if (this.theme !== 'auto')
			add('t', this.theme);
		if (this.palette !== 'trace')
			add('p', this.palette);
		return parts.join('&');
	}

	write() {
		const link = this.link();

		if (link !== location.hash.slice(1))
			history.replaceState(null, '', link === '' ? location.pathname + location.search : `#${link}`);
	}

	// Takes over a fragment; what it does not understand of it is left out.
	read(link) {
		const value = new Map(link.split('&').map((part) => {
			const at = part.indexOf('=');

			return [part.slice(0, at), part.slice(at + 1)];
		}));
		const times = (text) => {
			const match = /^(-?\d{1,19}),(-?\d{1,19})(?:,(\d{1,3}),(\d+(?:\.\d+)*))?$/.exec(text || '');

			if (match === null)
				return null;
			const [begin, end] = [match[1], match[2]].map((t) => Number(BigInt(t) - this.scene.base));

			const about = match[3] === undefined ? undefined : TV.data.header.runs[+match[3]];
			const workers = about === undefined ? [] : match[4].split('.').map(Number).filter((w) => w < TV.Work.of(+match[3]).workers.length);

			return begin >= end ? null : workers.length > 0 ? { begin, end, rows: { run: +match[3], workers: new Set(workers) } } : { begin, end };
		};
		const decoded = (text) => {
			try {
				return decodeURIComponent(text || '');
			} catch {
				return '';
			}
		};
		const names = (text) => new Set((text || '').split(',').map(decoded).filter((name) => name !== ''));
		const window = times(value.get('w')), one = /^(\d{1,3}),(\d{1,10})(?:,(call|gap))?$/.exec(value.get('s') || '');

		this.hidden = names(value.get('h'));
		this.collapsed = names(value.get('c'));
		this.panels = names(value.get('x'));
		this.region = times(value.get('r'));
		this.tab = TV.tabs.some((tab) => tab.name === decoded(value.get('i'))) ? decoded(value.get('i')) : null;
		this.answer = value.get('a') !== '0';
		this.findFinding(value.get('f') || null);
		this.query = decoded(value.get('o') || value.get('q'));
		this.filter = value.has('o') && this.query.trim() !== '';
		this.theme = ['dark', 'light'].includes(value.get('t')) ? value.get('t') : 'auto';
		this.palette = value.get('p') === 'colorblind' ? 'colorblind' : 'trace';
		this.rows = new Map((value.get('y') || '').split(',').map((text) => /^(\d+):([\d.]+):([\d.]+)$/.exec(text))
			.filter((match) => match !== null && +match[2] < +match[3] && +match[3] <= 1)
			.map((match) => [+match[1], [+match[2], +match[3]]]));
		this.take(one === null ? null : TV.selectable(+one[1], +one[2], one[3]));
		if (window !== null)
			this.show(window.begin, window.end, false);
		else
			[this.begin, this.end] = [this.scene.begin, this.scene.end];
		for (const what of ['search', 'selection', 'layout', 'tab', 'answer'])
			TV.emit(what, this);
		this.changed('window');
	}
};
