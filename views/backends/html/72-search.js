// SPDX-License-Identifier: GPL-3.0-or-later
// Search: words that id, type or tag contain, and filters type: worker: node: iteration: id: tag:.
'use strict';

TV.filters = { type: 'Value', worker: 'ResourceId', node: 'Node', iteration: 'Iteration', id: 'JobId', job: 'JobId', tag: 'Tag' };

// The tasks of a run that a query describes: rows in order of their table.
TV.findTasks = function (run, query) {
	const { data } = TV, start = data.values(run, 'tasks', 'Start');

	if (start === null)
		return [];
	const tests = query.trim().split(/\s+/).filter((word) => word !== '').map((word) => {
		const match = /^([a-z]+):(.*)$/i.exec(word), name = match && TV.filters[match[1].toLowerCase()];

		if (name && match[2] !== '')
			return TV.matcher(run, [name], match[2], ['Node', 'Iteration', 'JobId'].includes(name));
		return TV.matcher(run, ['JobId', 'Value', 'Tag'], word, false);
	});
	const rows = [];

	for (let i = 0; tests.length > 0 && i < start.length; i++)
		if (start[i] !== TV.MISSING_INT && tests.every((test) => test(i)))
			rows.push(i);
	return rows;
};

// Whether one of the columns contains a text (whole: is it), whatever its case.
TV.matcher = function (run, names, text, whole) {
	const { data } = TV, wanted = text.toLowerCase();
	const is = whole ? (value) => value.toLowerCase() === wanted : (value) => value.toLowerCase().includes(wanted);
	const tests = data.table(run, 'tasks').filter((entry) => names.includes(entry.name)).map((entry) => {
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
		'aria-label': 'search tasks by id, type or tag; filters type: worker: node: iteration:',
	});
	const count = TV.el('span', { class: 'tv-count', 'aria-live': 'polite' });
	let at = -1, all = [];
	const find = () => {
		const query = field.value;

		all = [];
		at = -1;
		if (query.trim() !== '')
			TV.data.header.runs.forEach((_, run) => {
				for (const row of TV.findTasks(run, query))
					all.push({ run, row });
			});
		view.marked = all.length === 0 ? null : { run: all[0].run, rows: all.filter((task) => task.run === all[0].run).map((task) => task.row) };
		count.textContent = query.trim() === '' ? '' : `${TV.number(all.length)} found`;
		view.changed('search');
	};
	const step = (by) => {
		if (all.length === 0)
			return;
		at = (at + by + all.length) % all.length;
		count.textContent = `${TV.number(at + 1)} of ${TV.number(all.length)}`;
		view.marked = { run: all[at].run, rows: all.filter((task) => task.run === all[at].run).map((task) => task.row) };
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
	TV.key(['n'], 'next found task', () => step(1));
	TV.key(['p'], 'previous found task', () => step(-1));
	return TV.el('span', { class: 'tv-find' }, field, count);
};
