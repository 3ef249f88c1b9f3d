// SPDX-License-Identifier: GPL-3.0-or-later
// Search: words that id, type or tag contain (of MPI calls: name, place or tag), and filters type: worker: node: iteration: id: tag:.
'use strict';

TV.filters = { type: 'Value', worker: 'ResourceId', node: 'Node', iteration: 'Iteration', id: 'JobId', job: 'JobId', tag: 'Tag' };

// What a query asks for: {task(row), call(row), worker(w)}; worker: whether its words for worker and node hold.
TV.wanted = function (run, query) {
	const words = query.trim().split(/\s+/).filter((word) => word !== '').map((word) => {
		const match = /^([a-z]+):(.+)$/i.exec(word), name = match && TV.filters[match[1].toLowerCase()];

		return name ? { names: [name], text: match[2], whole: ['Node', 'Iteration', 'JobId'].includes(name) } : { names: ['JobId', 'Value', 'Tag'], text: word, whole: false };
	});
	const tests = words.map(({ names, text, whole }) => TV.matcher(run, 'tasks', names, text, whole)), calls = words.map((word) => TV.callMatcher(run, word)), places = words.filter(({ names }) => ['ResourceId', 'Node'].includes(names[0]));

	return {
		task: (row) => tests.every((test) => test(row)),
		call: (row) => calls.every((test) => test(row)),
		worker: places.length === 0 ? null : (w) => places.every(({ names, text, whole }) => {
			const worker = TV.Work.of(run).workers[w], value = (names[0] === 'Node' ? worker.nodeName : worker.name).toLowerCase();

			return whole ? value === text.toLowerCase() : value.includes(text.toLowerCase());
		}),
	};
};

// The tasks of a run that a query describes: rows in order of their table.
TV.findTasks = function (run, query) {
	const start = TV.data.values(run, 'tasks', 'Start'), { task } = TV.wanted(run, query), rows = [];

	for (let i = 0; query.trim() !== '' && start !== null && i < start.length; i++)
		if (start[i] !== TV.MISSING_INT && task(i))
			rows.push(i);
	return rows;
};

// The same of the MPI calls; a type is a call or its class.
TV.findCalls = function (run, query) {
	const calls = TV.Calls.of(run), { call } = TV.wanted(run, query);

	return query.trim() === '' || calls === null ? [] : calls.rows.filter(call).map((row) => ({ run, row, call: true }));
};

TV.callMatcher = function (run, { names, text, whole }) {
	const calls = TV.Calls.of(run);

	if (calls !== null && names[0] === 'Node')
		return (row) => (TV.Work.of(run).workers[TV.Work.of(run).number(calls.text('ResourceId', row))] || {}).nodeName === text;
	return TV.matcher(run, 'calls', names.length > 1 ? ['Call', 'Site', 'Tag'] : names[0] === 'Value' ? ['Call', 'Class'] : names, text, whole);
};

// Finds what is searched, and leaves out of the figure what a filter does not find.
TV.applySearch = function (view) {
	let query = '', filter = '';

	TV.on('search', () => {
		const now = view.filter ? view.query : '';

		if (view.query !== query) {
			query = view.query;
			view.found = TV.data.header.runs.flatMap((_, run) => TV.findTasks(run, query).map((row) => ({ run, row })));
			view.foundCalls = TV.data.header.runs.flatMap((_, run) => TV.findCalls(run, query));
		}
		view.marked = view.found.length === 0 ? null : { run: view.found[0].run, rows: view.found.filter((task) => task.run === view.found[0].run).map((task) => task.row) };
		if (now === filter)
			return;
		filter = now;
		for (const chart of view.scene.charts)
			if (chart.tasks || (chart.calls && TV.Calls.of(chart.run) !== null))
				chart.filter(view.filter ? TV.wanted(chart.run, view.query)[chart.tasks ? 'task' : 'call'] : null);
		TV.figure.hover = null;
		TV.figure.layout = null;
	});
};

// Whether one of the columns contains a text (whole: is it), whatever its case.
TV.matcher = function (run, table, names, text, whole) {
	const { data } = TV, wanted = text.toLowerCase();
	const is = whole ? (value) => value.toLowerCase() === wanted : (value) => value.toLowerCase().includes(wanted);
	const tests = data.table(run, table).filter((entry) => names.includes(entry.name)).map((entry) => {
		const column = data.column(entry.column), known = new Map();

		// Each string is looked at once.
		return (row) => {
			const value = column[row];
			let found = known.get(value);

			if (found === undefined) {
				const shown = data.format(entry, row);

				found = shown !== '' && is(entry.type === 'int64' ? String(value) : shown);
				known.set(value, found);
			}
			return found;
		};
	});

	return (row) => tests.some((test) => test(row));
};

TV.search = function (view) {
	const field = TV.el('input', {
		type: 'search', class: 'tv-search', placeholder: 'search ( / )   type:  worker:  node:  iteration:', spellcheck: 'false',
		'aria-label': 'search tasks by id, type or tag, MPI calls by name or place; filters type: worker: node: iteration:',
	});
	const count = TV.el('span', { class: 'tv-count', 'aria-live': 'polite' });
	const only = TV.el('button', {
		type: 'button', class: 'tv-only', 'aria-pressed': 'false', title: 'show only what is found, in the figure, the statistics and the tables',
		onclick: () => view.search(field.value, !view.filter),
	}, 'only these');
	let at = -1;

	TV.applySearch(view);
	const find = () => {
		at = -1;
		view.search(field.value, view.filter);
	};
	const step = (by) => {
		const all = view.allFound();

		if (all.length === 0)
			return;
		at = (at + by + all.length) % all.length;
		count.textContent = `${TV.number(at + 1)} of ${TV.number(all.length)}`;
		view.marked = all[at].call ? null : { run: all[at].run, rows: view.found.filter((task) => task.run === all[at].run).map((task) => task.row) };
		TV.goTo(view, all[at]);
	};
	let timer;

	field.addEventListener('input', () => {
		clearTimeout(timer);
		timer = setTimeout(find, 120);
	});
	field.addEventListener('keydown', (event) => {
		if (event.key !== 'Enter')
			return;
		event.preventDefault();
		clearTimeout(timer);
		if (at < 0)
			find();
		step(event.shiftKey ? -1 : 1);
	});
	TV.key(['/'], 'search: id, type or tag; type: worker: node: iteration: as filters; Enter: next', () => {
		field.focus();
		field.select();
	});
	TV.key(['n'], 'next one that was found', () => step(1));
	TV.key(['p'], 'previous one that was found', () => step(-1));
	TV.on('search', () => {
		if (document.activeElement !== field)
			field.value = view.query;
		count.textContent = view.query.trim() === '' ? '' : `${TV.number(view.allFound().length)} found`;
		only.hidden = view.query.trim() === '';
		only.setAttribute('aria-pressed', view.filter ? 'true' : 'false');
	});
	only.hidden = true;
	return TV.el('span', { class: 'tv-find' }, field, only, count);
};
