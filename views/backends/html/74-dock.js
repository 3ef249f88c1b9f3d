// SPDX-License-Identifier: GPL-3.0-or-later
// The panel beside the figure, in a narrow window a sheet below it: statistics of what is seen or marked, tables of tasks, the selected task. Rows and figure are
// linked both ways: a click on a row shows its task, and the row of the selected task is marked.
'use strict';

TV.tabs = []; // [{name, title, make(view) -> {element, update(), selected()}}]

TV.tab = function (name, title, make) {
	TV.tabs.push({ name, title, make });
};

TV.dock = function (body, root, view) {
	const content = TV.el('div', { class: 'tv-dock-body', role: 'tabpanel' }), strip = TV.el('div', { class: 'tv-tabs', role: 'tablist', 'aria-label': 'numbers' });
	const head = TV.el('div', { class: 'tv-tabs-head' }, strip,
		TV.el('button', { type: 'button', class: 'tv-close', title: 'close (i)', 'aria-label': 'close the tables', onclick: () => view.openTab(null) }, '×'));
	const dock = TV.el('aside', { class: 'tv-dock', 'aria-label': 'numbers', hidden: true }, head, content, root.querySelector('.tv-pinned')), made = new Map();
	let shown = null, timer;
	// It takes room from the figure: what is selected stays in sight.
	const open = () => {
		const hidden = view.tab === null && view.chosen() === null;

		content.hidden = view.tab === null;
		if (hidden === dock.hidden)
			return;
		dock.hidden = hidden;
		body.classList.toggle('tv-docked', !hidden);
		TV.figure.layout = null;
		TV.figure.revealChosen(view.chosen());
		TV.figure.ask();
	};
	const show = () => {
		const name = TV.tabs.some((tab) => tab.name === view.tab) ? view.tab : null;

		if (name !== shown) {
			shown = name;
			for (const button of strip.querySelectorAll('[role=tab]'))
				button.setAttribute('aria-selected', button.dataset.tab === name ? 'true' : 'false');
			if (name === null)
				return;
			if (!made.has(name))
				made.set(name, TV.tabs.find((tab) => tab.name === name).make(view));
			content.replaceChildren(made.get(name).element);
		}
		if (name === null)
			return;
		made.get(name).update();
		made.get(name).selected();
		dock.dataset.done = String(Number(dock.dataset.done || 0) + 1);
	};

	for (const { name, title } of TV.tabs) {
		const button = TV.el('button', { type: 'button', role: 'tab', 'aria-selected': 'false', onclick: () => view.openTab(name), title }, name);

		button.dataset.tab = name;
		strip.append(button);
	}
	// Arrows go from one to the next.
	strip.addEventListener('keydown', (event) => {
		const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key], all = [...strip.children];

		if (by === undefined)
			return;
		event.preventDefault();
		event.stopPropagation();
		all[(all.indexOf(document.activeElement) + by + all.length) % all.length].focus();
	});
	body.append(dock);
	TV.on('tab', () => {
		open();
		show();
	});
	TV.on('selection', open);
	for (const what of ['view', 'colors'])
		TV.on(what, () => {
			clearTimeout(timer);
			timer = setTimeout(show, 120);
		});
	TV.key(['i'], 'open or close the panel of numbers', () => view.openTab(view.tab === null ? TV.tabs[0].name : null));
};

// A small table: [name, title, whether it is a picture] of columns; lines of cells, which are texts, elements or {text, title}. A click on a name
// sorts all lines but that of all; the button saves it as CSV, with all digits.
TV.lines = function (columns, lines) {
	const cell = (value, c) => value.text !== undefined && value.title !== undefined && !value.nodeType ? TV.el('td', { class: 'tv-number', title: value.title }, value.text)
		: TV.el('td', { class: c > 0 && typeof value === 'string' ? 'tv-number' : null }, value);

	const exact = (td) => td.title || td.textContent.replace(/\u202f/g, ''), number = (text) => text !== '' && Number.isFinite(Number(text));
	const sort = (c) => {
		const rows = [...body.rows], last = rows.filter((row) => exact(row.cells[0]) === 'all'), texts = rows.map((row) => exact(row.cells[c]));
		const order = texts.every((text) => text === '' || number(text)) ? (a, b) => Number(a || -Infinity) - Number(b || -Infinity) : TV.natural.compare;
		const falling = head.cells[c].getAttribute('aria-sort') === 'descending' || (c === 0 && head.cells[c].getAttribute('aria-sort') === 'none') ? 1 : -1;

		for (const [k, th] of [...head.cells].entries())
			th.setAttribute('aria-sort', k !== c ? 'none' : falling > 0 ? 'ascending' : 'descending');
		body.append(...rows.filter((row) => !last.includes(row)).sort((a, b) => falling * order(exact(a.cells[c]), exact(b.cells[c]))), ...last);
	};
	const save = () => {
		const kept = columns.map((_, c) => c).filter((c) => !columns[c][2]), line = (texts) => texts.map(TV.csvQuoted).join(',');
		const text = [line(kept.map((c) => columns[c][0])), ...[...body.rows].map((row) => line(kept.map((c) => exact(row.cells[c]))))].join('\n');

		TV.exporting.save(new Blob([`${text}\n`], { type: 'text/csv' }), TV.exporting.name('csv', columns[0][0]));
	};
	const csv = TV.el('button', { type: 'button', class: 'tv-csv', title: 'save this table', 'aria-label': `save the table ${columns[0][0]} as CSV`, onclick: save }, 'CSV');
	const head = TV.el('tr', {}, ...columns.map(([name, title, picture], c) => TV.el('th', { scope: 'col', title: title || null, class: c > 0 ? 'tv-number' : null, 'aria-sort': 'none' },
		picture ? name : TV.el('button', { type: 'button', onclick: () => sort(c) }, name), c === 0 ? csv : null)));
	const body = TV.el('tbody', {}, ...lines.map((line) => TV.el('tr', {}, ...line.map((value, c) => cell(value, c)))));

	return TV.el('table', { class: 'tv-lines' }, TV.el('thead', {}, head), body);
};

// Sums of parts {name, time in ns (BigInt)} by name, the longest first; whole: the makespan.
TV.sumsByType = function (first, tasks, whole) {
	const sums = new Map();

	for (const { name, time } of tasks) {
		const sum = sums.get(name) || { n: 0, time: 0n };

		sums.set(name, { n: sum.n + 1, time: sum.time + time });
	}
	const all = tasks.reduce((sum, { time }) => sum + time, 0n), line = (name, n, time) => [name, TV.number(n), TV.rounded(time), TV.percent(time, whole)];

	return TV.lines([[first, ''], ['steps', 'how many'], ['time, ms', 'their sum'], ['%', 'of the makespan']],
		[...[...sums].sort((a, b) => (b[1].time > a[1].time ? 1 : -1)).map(([name, { n, time }]) => line(name, n, time)), ...sums.size === 1 ? [] : [line('all', tasks.length, all)]]);
};

// ns (BigInt) as milliseconds, exact.
TV.ms = (ns) => TV.instant(ns).slice(0, -3);

// The same in four digits, with all of them as its title.
TV.rounded = function (ns) {
	const value = Number(ns) / 1e6;

	return { text: value >= 9999.5 ? String(Math.round(value)) : String(+value.toPrecision(4)), title: TV.ms(ns) };
};

TV.percent = (part, whole) => whole === 0n ? '' : (Number(10000n * part / whole) / 100).toFixed(2);

// A type of the statistics with its color.
TV.named = function ({ name, drawn }) {
	const swatch = TV.el('span', { class: 'tv-swatch' });

	swatch.style.background = drawn ? TV.colors.swatch(drawn) : 'transparent';
	return TV.el('span', { class: 'tv-named' }, swatch, name || '(no type)');
};

// Shares of a worker's time as a bar: types, then what is not idle and no counted task.
TV.shareBar = function (worker, types) {
	const bar = TV.el('span', { class: 'tv-shares' }), add = (part, color, text) => {
		const piece = TV.el('i', { title: `${text} ${TV.percent(part, worker.length)} %` });

		piece.style.width = `${TV.percent(part, worker.length) || 0}%`;
		piece.style.background = color;
		bar.append(piece);
	};

	for (const { name, drawn } of types)
		if (worker.times.has(name))
			add(worker.times.get(name), drawn ? TV.colors.css(drawn.color) : 'var(--soft)', name);
	if (worker.other > 0n)
		add(worker.other, 'var(--line)', 'other tasks');
	return bar;
};

// Statistics of the marked region, or of the window, for each run.
TV.tab('statistics', 'counts, times and idle causes of the window, or of the marked region', (view) => {
	const element = TV.el('div', { class: 'tv-statistics', tabindex: '0' });
	let key = '';
	const section = (run) => {
		const parts = TV.data.header.runs[run].tasks > 0 ? [taskSection(run)] : [], { begin: from, end: to } = view.region || view;

		if (TV.Calls.of(run) !== null)
			parts.push(TV.callSections(run, from, to, view.region === null ? view.keep(run) : view.keepMarked(run)));
		if (parts.length === 0)
			parts.push(TV.el('p', { class: 'tv-note' }, 'The trace has neither tasks nor MPI calls.'));
		return parts;
	};
	const taskSection = (run) => {
		const { begin, end } = view.region || view, s = TV.statistics(run, begin, end, view.region === null ? view.keep(run) : view.keepMarked(run)), { label } = TV.data.header.runs[run];
		const sums = (t, name) => [name, TV.number(t.tasks), TV.rounded(t.time), TV.percent(t.time, s.whole)];
		const lengths = (t, name) => [name, ...[t.mean, ...(t.quantiles || TV.percents.map(() => null))].map((value) => value === null ? '' : TV.rounded(value))];
		const idle = s.causes.reduce((sum, cause) => sum + cause.time, 0n), lines = (f) => [...s.types.map((t) => f(t, TV.named(t))), f(s.all, 'all')];

		// Of another run than the region's rows.
		if (s.workers.length === 0 && view.region !== null && view.region.rows)
			return null;
		return TV.el('section', {},
			TV.el('h2', {}, TV.data.header.runs.length > 1 ? `${label}: ` : '', view.region ? 'marked region' : 'window', view.region && view.region.rows ? ' and rows' : '', ` ${TV.instant(s.begin)} to ${TV.instant(s.end)}`,
				TV.el('span', {}, ` ${TV.instant(s.length)}, ${s.workers.length} workers`)),
			TV.lines([['type', ''], ['tasks', 'that touch it'], ['time, ms', 'in it'], ['%', 'of the time of all workers']], lines(sums)),
			TV.lines([['durations, ms', 'of the tasks that touch it, at their whole length'], ['mean', ''], ['min', ''], ['P5', '5 % are shorter'], ['P25', ''],
				['median', ''], ['P75', ''], ['P95', '95 % are shorter'], ['max', '']], lines(lengths)),
			TV.lines([['idle by cause', ''], ['time, ms', 'sum over the workers'], ['%', 'of the time of all workers'], ['% of idle', '']],
				[...s.causes.filter((cause) => cause.time > 0n).map((cause) => [cause.name, TV.rounded(cause.time), TV.percent(cause.time, s.whole), TV.percent(cause.time, idle)]),
					['all', TV.rounded(idle), TV.percent(idle, s.whole), '']]),
			TV.lines([['worker', ''], ['types', 'share of each type', true], ['tasks', 'that touch it'], ['busy, ms', ''], ['other, ms', 'setup and runtime tasks'], ['idle, ms', ''], ['idle %', '']],
				s.workers.map((worker) => [worker.name, TV.shareBar(worker, s.types), TV.number(worker.tasks), TV.rounded(worker.busy), TV.rounded(worker.other), TV.rounded(worker.idle), TV.percent(worker.idle, worker.length)])));
	};

	return {
		element,
		update() {
			const { begin, end, rows } = view.region || view, now = [begin, end, view.region && rows ? [rows.run, ...rows.workers] : '', [...view.hidden], view.filter ? view.query : '', TV.colors.dark, TV.colors.palette].join(' ');

			if (now === key)
				return;
			key = now;
			element.replaceChildren(...TV.data.header.runs.flatMap((_, run) => section(run)).filter((one) => one !== null));
		},
		selected() {},
	};
});

// Columns of a table of tasks. of(i): its task {run, row}, null if a row has none.
TV.taskColumns = function (of) {
	const facets = TV.data.header.runs.length > 1, columns = [], text = (name) => (i) => {
		const task = of(i);

		return task === null ? '' : TV.cellOf(task, name);
	};

	if (facets)
		columns.push({ name: 'run', text: (i) => of(i) === null ? '' : TV.data.header.runs[of(i).run].label });
	columns.push({ name: 'type', text: text('Value') }, { name: TV.data.header.runs.some((_, run) => TV.data.table(run, 'calls').length > 0) ? 'id, place' : 'id', text: text('JobId') }, { name: 'worker', text: text('ResourceId') });
	for (const column of columns)
		column.value = column.text;
	// Ids that are numbers are sorted as such.
	const ids = TV.data.header.runs.map((_, run) => TV.data.table(run, 'tasks').find((entry) => entry.name === 'JobId'));

	if (ids.every((entry) => entry !== undefined && entry.decimal))
		columns[columns.length - 2].value = (i) => {
			const task = of(i), id = task === null || task.call ? null : TV.timeAt(task.run, 'tasks', 'JobId', task.row);

			return id === null ? NaN : Number(id);
		};
	return columns;
};

// A column of times in ms, all digits in its title: time(i) is ns as BigInt, null if missing. Sorted by their distance from the begin of the scene.
TV.timeColumn = (name, title, time) => ({
	name: `${name}, ms`, title, number: true, time, text: (i) => time(i) === null ? '' : (Number(time(i)) / 1e6).toFixed(3),
	exact: (i) => time(i) === null ? '' : TV.ms(time(i)),
	value: (i) => time(i) === null ? null : Number(time(i) - TV.scene.base),
});

// One value of a table; null if there is none.
TV.timeAt = function (run, table, name, row) {
	const key = `${table}.${name}`, known = TV.timeColumns[run] || (TV.timeColumns[run] = new Map());

	if (!known.has(key))
		known.set(key, TV.data.values(run, table, name));
	const column = known.get(key);

	return column === null || row >= column.length || column[row] === TV.MISSING_INT ? null : column[row];
};

TV.timeColumns = []; // of each run, by table and name

// A tab with a table of tasks: list() gives its tasks (with more, if they have it), columns its further columns (plain: it
// has no others), is(one, view) whether one is what the figure shows, shown(view) a test whether a filter keeps one.
TV.isSelected = ({ run, row, call }, { selection, call: chosen }) => call ? chosen !== null && run === chosen.run && row === chosen.row : selection !== null && run === selection.run && row === selection.row;

TV.taskTab = function (name, title, { list, columns, by, sums = () => [], is = TV.isSelected, shown = () => () => true }) {
	TV.tab(name, title, (view) => {
		let all = null, kept = null, key = null;
		const of = (i) => all[i].row < 0 ? null : all[i], table = new TV.Table({
			about: name, columns: [...columns.before ? columns.before((i) => all[i]) : [], ...columns.plain ? [] : TV.taskColumns(of), ...columns.after((i) => all[i])],
			onchoose: (i) => of(i) !== null ? TV.goTo(view, { run: all[i].run, row: all[i].row, call: all[i].call }, true) : all[i].show && all[i].show(view),
		});
		const count = TV.el('p', { class: 'tv-note' }), above = TV.el('div', { class: 'tv-sums' });
		const element = TV.el('div', { class: 'tv-list' }, count, above, table.element);

		return {
			element, table,
			update() {
				const now = `${view.filter ? view.query : ''} ${[...view.hidden]} ${name === 'found' ? view.allFound().length + view.query : ''}`;

				if (now === key)
					return;
				key = now;
				if (all === null || name === 'found')
					all = list(view);
				const keep = TV.data.header.runs.map((_, run) => view.keep(run).task);

				const showing = shown(view);

				kept = all.map((_, i) => i).filter((i) => showing(all[i])).filter((i) => name === 'found' || of(i) === null || !keep[all[i].run] || keep[all[i].run](all[i].row));
				count.textContent = `${TV.number(kept.length)} ${title}`;
				if (by !== undefined && table.by < 0)
					table.by = table.columns.findIndex(({ name: column }) => column === `${by}, ms`), table.falling = true;
				table.set(kept);
				above.replaceChildren(...sums(kept.map((i) => all[i])));
			},
			selected() {
				const now = table.chosen >= 0 && is(all[table.chosen], view) ? table.chosen : kept.find((i) => is(all[i], view));

				if (now !== table.chosen && (now !== undefined || view.selection !== null))
					table.mark(now === undefined ? -1 : now);
			},
		};
	});
};

// Tasks of all runs for which test(run) gives a function that holds.
TV.tasksWith = (test) => TV.data.header.runs.flatMap((_, run) => {
	const holds = test(run), work = TV.Work.of(run), tasks = [];

	for (let row = 0; row < work.n; row++)
		if (work.counted[row] && holds(row))
			tasks.push({ run, row });
	return tasks;
});

TV.isOutlier = function (run) {
	const outlier = TV.data.values(run, 'outliers', 'Outlier');

	return (row) => outlier !== null && outlier[row] === 1n;
};

TV.durationColumns = (of) => {
	const time = (name) => (i) => of(i).row < 0 ? null : TV.timeAt(of(i).run, of(i).call ? 'calls' : 'tasks', name, of(i).row);

	return [TV.timeColumn('start', 'begin of the task', time('Start')), TV.timeColumn('duration', 'its length', (i) => time('Start')(i) === null ? null : time('End')(i) - time('Start')(i))];
};

TV.taskTab('outliers', 'tasks that took much longer than others of their type', {
	list: () => TV.tasksWith(TV.isOutlier), by: 'over',
	columns: {
		after: (of) => {
			const [start, duration] = TV.durationColumns(of), threshold = (i) => TV.timeAt(of(i).run, 'outliers', 'Threshold', of(i).row);

			return [start, duration, TV.timeColumn('threshold', 'longer ones are outliers', threshold),
				TV.timeColumn('over', 'duration minus threshold', (i) => threshold(i) === null ? null : duration.time(i) - threshold(i))];
		},
	},
});

TV.taskTab('delays', 'tasks with a delay: the time from their release to their start', {
	list: () => TV.tasksWith((run) => (row) => TV.timeAt(run, 'deps', 'Delay', row) !== null), by: 'delay',
	columns: {
		after: (of) => {
			const time = (name) => (i) => TV.timeAt(of(i).run, 'deps', name, of(i).row), last = (i) => {
				const { run, row } = of(i), before = TV.Graph.of(run).lastDependencies()[row];

				return before < 0 ? '' : TV.valueOf(run, 'JobId', before);
			};

			return [TV.timeColumn('delay', 'from release to start', time('Delay')), TV.timeColumn('release', 'when it could have started', time('Released')),
				TV.durationColumns(of)[0], { name: 'last dependency', value: last, text: last }];
		},
	},
});

TV.taskTab('critical path', 'segments of the observed critical path', {
	list: (view) => TV.data.header.runs.flatMap((_, run) => TV.criticalPath(run, view)),
	// As critical-path --by type has them; waits by their cause.
	sums: (segments) => TV.data.header.runs.map((about, run) => [about, segments.filter((one) => one.run === run)]).filter(([, own]) => own.length > 0)
		.map(([about, own]) => TV.sumsByType(TV.data.header.runs.length > 1 ? about.label : 'by type', own.map(({ cells, begin, end }) => ({
			name: cells.Part === 'task' ? `${cells.Value} ${cells.ResourceType}` : [cells.Part, cells.Cause].filter((text) => text !== '').join(': '), time: end - begin,
		})), BigInt(about.finish) - BigInt(about.begin))),
	columns: {
		before: (of) => [{ name: '#', number: true, value: (i) => of(i).seq, text: (i) => String(of(i).seq) }, { name: 'part', value: (i) => of(i).cells.Part, text: (i) => of(i).cells.Part }],
		after: (of) => [
			TV.timeColumn('start', 'begin of the segment', (i) => of(i).begin), TV.timeColumn('length', 'of the segment', (i) => of(i).end - of(i).begin),
			...['Edge', 'Cause'].map((name) => ({ name: name.toLowerCase(), value: (i) => of(i).cells[name], text: (i) => of(i).cells[name] })),
		],
	},
});

// Segments of a run's critical path: {run, row: of their task or -1, seq, begin, end, cells, show}.
TV.criticalPath = function (run) {
	const { data } = TV, columns = data.table(run, 'critical-path'), find = (name) => columns.find((column) => column.name === name);

	if (find('JobId') === undefined || find('Start') === undefined)
		return [];
	const job = find('JobId'), start = data.values(run, 'critical-path', 'Start'), end = data.values(run, 'critical-path', 'End');
	const own = data.table(run, 'tasks').find((column) => column.name === 'JobId'), rows = new Map();
	let [ids, jobs] = own === undefined ? [[], []] : [own, job].map(({ column, decimal }) => decimal ? TV.unpack.relative(data.column(column), 0n, NaN) : data.column(column));

	// As numbers, of texts those of their strings, which are found faster than texts.
	if (own !== undefined && (own.decimal !== job.decimal || jobs.some((id) => Math.abs(id) >= 2 ** 53)))
		[ids, jobs] = [own, job].map((entry) => Array.from(data.column(entry.column), (_, row) => data.format(entry, row)));
	const wanted = new Set(jobs);

	for (const none of own !== undefined && own.decimal ? [NaN, ''] : [0, TV.NONE, ''])
		wanted.delete(none);
	// The first execution of each job, and the one with that start.
	for (let row = 0; row < ids.length; row++) {
		const id = ids[row];

		if (!wanted.has(id) || !TV.hasTask(run, row))
			continue;
		const at = `${id} ${data.values(run, 'tasks', 'Start')[row]}`;

		rows.set(at, rows.has(at) ? rows.get(at) : row);
		rows.set(id, rows.has(id) ? rows.get(id) : row);
	}
	return Array.from(start, (begin, i) => {
		const id = jobs[i], cells = {};

		for (const name of ['Part', 'Edge', 'Cause', 'Value', 'ResourceType'])
			cells[name] = find(name) === undefined ? '' : data.format(find(name), i);
		return {
			run, row: rows.get(`${id} ${begin}`) ?? rows.get(id) ?? -1, seq: i + 1, begin, end: end[i], cells,
			show: (view) => view.showAround(Number(begin - TV.scene.base), Number(end[i] - TV.scene.base)),
		};
	});
};

TV.taskTab('gaps', 'times in which a worker executed nothing', {
	list: () => TV.data.header.runs.flatMap((_, run) => Array.from({ length: TV.Work.of(run).gap.n }, (_, gap) => ({
		run, row: -1, gap, work: TV.Work.of(run), show: (view) => TV.goToGap(view, { run, gap }),
	}))), by: 'length',
	is: ({ run, gap }, view) => view.gap !== null && run === view.gap.run && gap === view.gap.gap,
	shown: (view) => {
		const keep = TV.data.header.runs.map((_, run) => view.keep(run).worker);

		return ({ run, gap, work }) => !keep[run] || keep[run](work.gap.worker[gap]);
	},
	columns: {
		plain: true,
		before: (of) => [{ name: 'worker', value: (i) => of(i).work.workers[of(i).work.gap.worker[of(i).gap]].name, text: (i) => of(i).work.workers[of(i).work.gap.worker[of(i).gap]].name }],
		after: (of) => {
			const culprit = (i) => of(i).work.culprit(of(i).gap).name;
			const time = (name) => (i) => BigInt(of(i).work.gap[name][of(i).gap]), cause = (i) => of(i).work.reasons(of(i).gap).map(([name]) => name).join(', ');

			return [TV.timeColumn('begin', 'of the gap', (i) => TV.scene.base + time('begin')(i)), TV.timeColumn('length', 'of the gap', (i) => time('end')(i) - time('begin')(i)),
				{ name: 'causes', title: 'longest first', value: cause, text: cause },
				{ name: 'culprit', title: 'what went on elsewhere for the largest part of it', value: culprit, text: culprit }];
		},
	},
});

TV.taskTab('found', 'tasks and calls that the search found', {
	list: (view) => view.allFound(),
	columns: { after: (of) => TV.durationColumns(of) },
});

// Marks a gap, and moves the window to it.
TV.goToGap = function (view, { run, gap }) {
	const work = TV.Work.of(run), begin = work.gap.begin[gap], end = work.gap.end[gap];

	view.take({ run, gap });
	view.showAround(begin, end);
	view.mark({ begin, end });
	view.select({ run, gap });
};

// The next one in time of all: after (sign 1) or before (-1) the one that is(one), else a time. null if there is none.
TV.nextOf = function (all, time, is, now, sign) {
	const sorted = all.slice().sort((a, b) => time(a) - time(b)), at = sorted.findIndex(is);

	if (at >= 0)
		return sorted[at + sign] || null;
	return (sign > 0 ? sorted.find((one) => time(one) > now) : sorted.reverse().find((one) => time(one) < now)) || null;
};

TV.jumps = function (figure, view) {
	let outliers = null;
	const outlier = (sign) => {
		outliers = outliers || TV.tasksWith(TV.isOutlier);
		const keep = TV.data.header.runs.map((_, run) => view.keep(run).task), time = (task) => TV.timesOf(task)[0];
		const known = outliers.filter(({ run, row }) => !keep[run] || keep[run](row)), now = view.selection === null ? (sign > 0 ? view.begin - 1 : view.end) : time(view.selection);
		const next = TV.nextOf(known, time, ({ run, row }) => view.selection !== null && run === view.selection.run && row === view.selection.row, now, sign);

		if (next !== null)
			TV.goTo(view, next, true);
	};
	// Gaps that can be seen: at least 1 % of the window.
	const gap = (sign) => {
		const all = [], shortest = (view.end - view.begin) / 100, begin = ({ run, gap: g }) => TV.Work.of(run).gap.begin[g];

		TV.data.header.runs.forEach((_, run) => {
			const work = TV.Work.of(run), keep = view.keep(run).worker;

			for (let g = 0; g < work.gap.n; g++)
				if (work.gap.end[g] - work.gap.begin[g] >= shortest && (!keep || keep(work.gap.worker[g])))
					all.push({ run, gap: g });
		});
		const next = TV.nextOf(all, begin, ({ run, gap: g }) => view.gap !== null && run === view.gap.run && g === view.gap.gap,
			view.gap ? begin(view.gap) : sign > 0 ? view.begin - 1 : view.end, sign);

		if (next !== null)
			TV.goToGap(view, next);
	};

	TV.key(['O'], 'previous outlier, with some time around it', () => outlier(-1));
	TV.key(['o'], 'next outlier, with some time around it', () => outlier(1));
	TV.key(['G'], 'previous gap: a time of at least 1 % of the window in which a worker executes nothing', () => gap(-1));
	TV.key(['g'], 'next gap', () => gap(1));
	// The selected gap and the one under the pointer, in the rows of their workers.
	figure.overlays.push((context) => {
		for (const [one, width] of [[view.gap, 2], [figure.hoverGap, 1]])
			for (const place of one ? figure.layout.frames : [])
				if (place.frame.chart && place.frame.chart.run === one.run)
					TV.strokeGaps(context, figure, place, TV.Work.of(one.run), [one.gap], width);
	});
};

// Boxes around gaps, where a chart has their workers; those of a worker that touch on the screen have one.
TV.strokeGaps = function (context, figure, place, work, gaps, width) {
	const rows = new Map(place.frame.chart.rows.filter(({ type }) => type !== '').map((row) => [row.name, row])), of = work.workers.map(({ name }) => rows.get(name));
	const { begin, end, worker } = work.gap, x = (time) => TV.clamp(figure.timeX(place, time), place.left, place.left + place.width);
	let box = null;
	const close = () => box !== null && context.strokeRect(box.x0, box.y0, Math.max(box.x1 - box.x0, 2), box.y1 - box.y0);

	context.strokeStyle = figure.dark ? '#ffd54a' : '#b36b00';
	context.lineWidth = width;
	for (const g of gaps) {
		const row = of[worker[g]], x0 = x(begin[g]), x1 = x(end[g]);

		if (row === undefined || x1 === x0)
			continue;
		if (box !== null && box.row === row && x0 >= box.x0 && x0 < box.x1 + 2) {
			box.x1 = Math.max(box.x1, x1);
			continue;
		}
		close();
		box = { row, x0, x1, y0: figure.layout.rowY(place, row.y0), y1: figure.layout.rowY(place, row.y1) };
	}
	close();
};
