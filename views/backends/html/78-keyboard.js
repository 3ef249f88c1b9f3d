// SPDX-License-Identifier: GPL-3.0-or-later
// The figure without a mouse: Enter puts a cursor on a task, arrows move it, Enter selects. What is under it is
// announced, and shown as under the pointer.
'use strict';

TV.Cursor = class {
	constructor(figure, view, live) {
		Object.assign(this, { figure, view, live, at: null }); // {chart, r, item}
		this.time = 0; // where the way up and down began
	}

	// Rows of tasks from top to bottom, of all panels and facets that are open.
	lines() {
		const layout = this.figure.laid(), places = layout.frames.filter((place) => place.frame.chart && place.frame.chart.tasks && place.height > 1);

		places.sort((a, b) => a.left - b.left || a.top - b.top);
		return places.flatMap(({ frame, groups }) => frame.chart.rows.map((_, r) => ({ chart: frame.chart, r }))
			.filter(({ r }) => !groups.some((group) => group.closed && r >= group.from && r < group.to)));
	}

	place() {
		return this.figure.laid().frames[this.at.chart.frame.number];
	}

	task() {
		return this.at === null ? null : { run: this.at.chart.run, row: this.at.chart.row[this.at.item] };
	}

	isShown(chart, item) {
		return !this.view.hidden.has(chart.type[chart.style[item] >> 1].name);
	}

	// The item of a row that is next to a time (ns after the scene's base); -1: the row has none.
	nearest({ chart, r }, time) {
		const row = chart.rows[r], t = time - chart.frame.offset, from = TV.after(chart.begin, t, row.first, row.first + row.n);
		let best = -1, distance = Infinity;

		for (const step of [-1, 1])
			for (let i = step < 0 ? from - 1 : from; i >= row.first && i < row.first + row.n; i += step) {
				if (!this.isShown(chart, i))
					continue;
				const d = Math.max(chart.begin[i] - t, t - chart.end[i], 0);

				if (d < distance) {
					distance = d;
					best = i;
				}
				break;
			}
		return best;
	}

	// On the selected task, or on one in the middle of what is seen.
	begin() {
		const { view } = this, task = view.selection, lines = this.lines(), middle = (view.begin + view.end) / 2;

		for (const { chart } of task === null ? [] : lines)
			if (chart.run === task.run && chart.itemOf(task.row) >= 0) {
				const item = chart.itemOf(task.row);

				this.put({ chart, r: chart.rowOf[item], item });
				return;
			}
		for (const line of lines) {
			const item = this.nearest(line, middle);

			if (item >= 0) {
				this.put({ ...line, item });
				return;
			}
		}
		this.say('no task is shown');
	}

	end() {
		this.at = null;
		TV.emit('cursor', null);
		this.figure.ask(true);
	}

	put(at) {
		this.at = at;
		this.time = (at.chart.begin[at.item] + at.chart.end[at.item]) / 2 + at.chart.frame.offset;
		this.show();
	}

	// Along the row, to tasks of types that are shown.
	along(step) {
		const { chart, r, item } = this.at, row = chart.rows[r];
		let i = item + step;

		while (i >= row.first && i < row.first + row.n && !this.isShown(chart, i))
			i += step;
		if (i >= row.first && i < row.first + row.n)
			this.put({ chart, r, item: i });
		else
			this.say(`${step < 0 ? 'first' : 'last'} task of ${row.name}`);
	}

	// To the next row with tasks, at the same time.
	across(step) {
		const lines = this.lines(), { chart, r } = this.at;
		let k = lines.findIndex((line) => line.chart === chart && line.r === r) + step;

		for (; k >= 0 && k < lines.length; k += step) {
			const item = this.nearest(lines[k], this.time);

			if (item < 0)
				continue;
			this.at = { ...lines[k], item };
			this.show();
			return;
		}
		this.say(step < 0 ? 'first row' : 'last row');
	}

	// To the first or last task of the row.
	edge(step) {
		const { chart, r } = this.at, row = chart.rows[r];

		this.at = { chart, r, item: step < 0 ? row.first - 1 : row.first + row.n };
		this.along(-step);
	}

	// Moves what is seen to it, and announces it.
	show() {
		const { figure, view } = this, task = this.task(), [begin, end] = TV.timesOf(task), length = view.end - view.begin;

		if (end <= view.begin || begin >= view.end || (end - begin < length && (begin < view.begin || end > view.end)))
			view.show((begin + end - length) / 2, (begin + end + length) / 2, view.movement());
		figure.reveal(this.at.chart, this.at.item);
		this.say(this.text(task));
		TV.emit('cursor', this);
		figure.ask(true);
	}

	text(task) {
		const { chart, r } = this.at, facts = new Map(TV.factsOf(task).map(([name, value]) => [name, value]));
		const facet = TV.data.header.runs.length > 1 ? `, run ${TV.data.header.runs[chart.run].label}` : '';
		const outlier = chart.style[this.at.item] & 1 ? ', outlier' : '';

		return `${TV.visible(TV.nameOf(task))}, on ${chart.rows[r].name}${facet}, from ${facts.get('Start')}, duration ${facts.get('Duration')}${outlier}`.slice(0, 600);
	}

	say(text) {
		this.live.textContent = text;
	}
};

TV.keyboard = function (root, figure, view) {
	const live = TV.el('div', { class: 'tv-live', role: 'status', 'aria-live': 'polite' }), cursor = new TV.Cursor(figure, view, live), { scroll } = figure;
	const tasks = TV.data.header.runs.map((run) => `${run.label === '' ? 'trace' : run.label}: ${TV.number(run.tasks)} tasks on ${TV.number(run.workers)} workers`).join('; ');

	root.append(live);
	scroll.setAttribute('role', 'application');
	scroll.setAttribute('aria-roledescription', 'figure');
	scroll.setAttribute('aria-label', TV.visible(`${tasks}. Enter goes to a task, arrow keys go from task to task, Enter selects, Escape leaves; question mark lists the keys.`).slice(0, 2000));
	scroll.addEventListener('keydown', (event) => {
		const moves = {
			ArrowLeft: () => cursor.along(-1), ArrowRight: () => cursor.along(1), ArrowUp: () => cursor.across(-1), ArrowDown: () => cursor.across(1),
			Home: () => cursor.edge(-1), End: () => cursor.edge(1), Escape: () => cursor.end(),
			Enter: () => {
				view.select(cursor.task());
				cursor.say(`selected: ${cursor.text(cursor.task())}`);
			},
		};

		if (event.ctrlKey || event.metaKey || event.altKey || event.target !== scroll)
			return;
		const run = cursor.at === null ? event.key === 'Enter' && (() => cursor.begin()) : moves[event.key];

		if (!run)
			return;
		event.preventDefault();
		event.stopPropagation();
		run();
	});
	// A press of the mouse, or another type of view, ends it.
	figure.overlay.addEventListener('pointerdown', () => cursor.end());
	TV.on('types', () => {
		if (cursor.at !== null && !cursor.isShown(cursor.at.chart, cursor.at.item))
			cursor.end();
	});
	figure.overlays.push((context) => {
		if (cursor.at === null || figure.draw.still)
			return;
		const place = cursor.place(), box = figure.itemBox(place, cursor.at.chart, cursor.at.item);

		// Its group of rows or its panel is closed now.
		if (box.group || place.height < 2) {
			cursor.end();
			return;
		}
		const x0 = TV.clamp(box.x0, place.left, place.left + place.width), x1 = TV.clamp(box.x1, place.left, place.left + place.width);

		for (const [color, width, out] of [[figure.dark ? '#000000' : '#ffffff', 5, 2], [figure.dark ? '#ffffff' : '#000000', 2, 2]]) {
			context.strokeStyle = color;
			context.lineWidth = width;
			context.strokeRect(x0 - out, box.y0 - out, Math.max(x1 - x0, 1) + 2 * out, box.y1 - box.y0 + 2 * out);
		}
	});
	// Of the keys of the figure, those of the cursor.
	TV.key(['Enter'], 'in the figure: go to a task; then arrows: next task, next row; Home, End; Enter: select; Escape: leave', () => {
		scroll.focus({ preventScroll: true });
		if (cursor.at === null)
			cursor.begin();
	});
	// Before m: the first entry that has a key or its small letter is meant.
	TV.key(['M'], 'add the row of the task under the cursor, or of the selected one, to the marked region, which is then of such rows alone', () => {
		const task = cursor.task() || view.selection, { region } = view, w = task === null ? -1 : TV.Work.of(task.run).worker[task.row];

		if (w < 0 || region === null)
			return;
		const before = region.rows && region.rows.run === task.run ? region.rows.workers : [];

		view.mark({ ...region, rows: { run: task.run, workers: new Set([...before, w]) } });
		cursor.say(`marked rows: ${view.region.rows.workers.size}`);
	});
	TV.key(['m'], 'mark the time of the task under the cursor or of the selected one; again: up to there', () => {
		const task = cursor.task() || view.selection, { region } = view;

		if (task === null)
			return;
		const [begin, end] = TV.timesOf(task);

		view.mark(region === null ? { begin, end } : { ...region, begin: Math.min(begin, region.begin), end: Math.max(end, region.end) });
		cursor.say(`marked ${TV.duration(view.region.end - view.region.begin)}`);
	});
	TV.cursor = cursor;
};
