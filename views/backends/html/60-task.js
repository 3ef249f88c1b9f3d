// SPDX-License-Identifier: GPL-3.0-or-later
// One task: hover shows what is known of it; a click selects it, and its neighbors and chain are drawn in every
// panel. The tooltip of the selected task stays and can be copied.
'use strict';

// Facts [[name, text, meaning]] as a table, in so many columns.
// A text; where it ends with a place in a program, FILE:LINE, and the report has a template for it, a link to the editor.
TV.placed = function (text) {
	const { editor } = TV.data.header, [, file, line] = /^(?:.*@)?([^@:]*\.[a-z]\w*):(\d+)$/is.exec(text) || [];

	return editor === undefined || line === undefined ? text : TV.el('a', {
		href: editor.replace(/\{(file|line)\}/g, (_, name) => name === 'line' ? line : file.split('/').map(encodeURIComponent).join('/')),
		onclick: (event) => event.stopPropagation(),
	}, text);
};

TV.factTable = function (facts, columns) {
	const lines = Math.ceil(facts.length / columns);

	return TV.el('table', {}, ...Array.from({ length: lines }, (_, i) => TV.el('tr', {}, ...[facts[i], facts[i + lines]].filter((fact, c) => c < columns && fact !== undefined)
		.flatMap(([name, text, meaning]) => [TV.el('th', { scope: 'row', title: meaning || null }, name), TV.el('td', {}, TV.placed(text))]))));
};

TV.card = function (task, buttons, ...body) {
	const type = TV.typeOf(task), swatch = TV.el('span', { class: 'tv-swatch' });

	swatch.style.background = type ? TV.colors.swatch(type) : 'transparent';
	return TV.el('div', { class: 'tv-card' },
		TV.el('div', { class: 'tv-card-head' }, swatch, TV.el('b', {}, ...TV.nameWords(task).flatMap((word, i) => [i > 0 ? ' ' : null, TV.placed(word)])), buttons ? TV.el('span', { class: 'tv-card-buttons' }, ...buttons) : null), ...body);
};

// For the pointer: everything known of a task, in two columns where that is much.
TV.tipCard = function (task) {
	const facts = TV.factsOf(task);

	return TV.card(task, null, TV.factTable(facts, facts.length > 14 ? 2 : 1));
};

TV.cardText = (task) => [TV.nameOf(task), ...TV.factsOf(task).map(([name, text]) => `${name}\t${text}`)].join('\n');

TV.tooltip = function (root, figure, view) {
	const tip = TV.el('div', { class: 'tv-tip', role: 'tooltip', hidden: true });
	const pinned = TV.el('aside', { class: 'tv-pinned', 'aria-label': 'selected task', 'aria-live': 'polite', hidden: true });
	let shown = '', more = false; // whether all facts are open

	root.append(tip, pinned);
	const place = (event) => {
		const box = tip.getBoundingClientRect(), x = event.clientX + 16, y = event.clientY + 14;

		tip.style.left = `${x + box.width > innerWidth - 4 ? Math.max(event.clientX - box.width - 12, 4) : x}px`;
		tip.style.top = `${Math.max(Math.min(y, innerHeight - box.height - 4), 4)}px`;
	};

	TV.on('pointer', ({ at, event }) => {
		const hit = at === null ? null : figure.hit(at.x, at.y), { chart } = hit || {};

		figure.hover = hit;
		if (hit === null || hit.item < 0) {
			tip.hidden = true;
			shown = '';
			return;
		}
		const key = `${chart.number}-${hit.item}`;

		if (key !== shown) {
			shown = key;
			tip.replaceChildren(chart.tasks ? TV.tipCard({ run: chart.run, row: chart.row[hit.item] }) : TV.itemCard(chart, hit.item, hit.r));
			tip.hidden = false;
		}
		place(event);
	});
	// Under the cursor of the keys: beside the task.
	TV.on('cursor', (cursor) => {
		tip.hidden = cursor === null;
		shown = '';
		if (cursor === null)
			return;
		const box = figure.itemBox(cursor.place(), cursor.at.chart, cursor.at.item), page = figure.overlay.getBoundingClientRect();

		tip.replaceChildren(TV.tipCard(cursor.task()));
		place({ clientX: TV.clamp(box.x1, 0, page.width), clientY: page.top + box.y1 - figure.scroll.scrollTop - 8 });
	});
	TV.on('window', () => {
		tip.hidden = true;
		shown = '';
	});
	TV.on('click', ({ at }) => {
		const hit = figure.hit(at.x, at.y);

		view.select(hit !== null && hit.item >= 0 && hit.chart.tasks ? { run: hit.chart.run, row: hit.chart.row[hit.item] } : null);
	});
	TV.on('selection', () => {
		pinned.hidden = view.selection === null;
		tip.hidden = true;
		shown = '';
		if (view.selection === null)
			return;
		const task = view.selection, graph = TV.Graph.of(task.run), list = (name, rows) => {
			const line = TV.el('div', { class: 'tv-links' }, TV.el('span', {}, `${name} ${rows.length === 0 ? '—' : rows.length}`));

			for (const row of rows.slice(0, 12))
				line.append(TV.el('button', { type: 'button', onclick: () => TV.goTo(view, { run: task.run, row }) }, TV.nameOf({ run: task.run, row })));
			if (rows.length > 12)
				line.append('…');
			return line;
		};
		const facts = TV.factsOf(task), first = facts.filter(([name]) => TV.firstFacts.includes(name)), chain = graph.chain(task.row), card = TV.card(task, [
			TV.el('button', { type: 'button', title: 'copy as text', onclick: (event) => TV.copy(TV.cardText(task), event.target) }, 'copy'),
			TV.el('button', { type: 'button', title: 'show it in the window (f)', onclick: () => view.fit() }, 'fit'),
			TV.el('button', { type: 'button', title: 'close (Escape)', 'aria-label': 'close', onclick: () => view.select(null) }, '×'),
		], TV.factTable(first, 1));

		const before = TV.Work.of(task.run).before(task.row);

		if (before !== null)
			card.append(TV.culpritLine(view, { run: task.run, gap: before.gap }));
		if (!TV.tiles)
			card.append(list('predecessors', graph.predecessors(task.row)), list('successors', graph.successors(task.row)), TV.el('div', { class: 'tv-links' }, TV.el('span', {}, `chain: ${chain.at} before, ${chain.rows.length - 1 - chain.at} after`)));
		if (chain.rows.length > 1)
			card.append(TV.sumsByType('chain', chain.rows.map((row) => {
				const [begin, end] = TV.timesOf({ run: task.run, row });

				return { name: TV.valueOf(task.run, 'Value', row), time: BigInt(end - begin) };
			}), BigInt(TV.data.header.runs[task.run].finish) - BigInt(TV.data.header.runs[task.run].begin)));
		if (facts.length > first.length)
			card.append(TV.el('details', { open: more, ontoggle: ({ target }) => {
				more = target.open;
			} }, TV.el('summary', {}, `${facts.length - first.length} more`), TV.factTable(facts.slice(first.length), 1)));
		pinned.replaceChildren(card);
	});
	TV.on('colors', () => {
		if (view.selection !== null)
			TV.emit('selection', view);
	});
	TV.key(['Escape'], 'clear the selection', () => {
		figure.scroll.focus({ preventScroll: true });
		view.mark(null);
		view.marked = null;
		view.findFinding(null);
		view.changed('answer');
		view.select(null);
	});
};

// What is known of an item that is no task: a state, a part of a group.
TV.itemCard = function (chart, item, r) {
	const label = chart.label ? TV.data.string(chart.label[item]) : '';
	const begin = chart.frame.begin + BigInt(chart.begin[item]), end = chart.frame.begin + BigInt(chart.end[item]);
	const table = TV.factTable([['Row', chart.rows[r].name], ['Start', TV.instant(begin)], ['End', TV.instant(end)], ['Duration', TV.instant(end - begin)]], 1);

	return TV.el('div', { class: 'tv-card' },
		TV.el('div', { class: 'tv-card-head' }, TV.el('b', {}, label || chart.types[chart.style[item] >> 1].name)), table);
};

TV.copy = async function (text, button) {
	const area = TV.el('textarea', { class: 'tv-copy' });

	// Pages opened from disk may have no clipboard of their own.
	area.value = text;
	document.body.append(area);
	area.select();
	const done = document.execCommand('copy');

	area.remove();
	button.textContent = done ? 'copied' : 'not copied';
	setTimeout(() => {
		button.textContent = 'copy';
	}, 1200);
};

// Selects a task and moves the window to it, if it is outside; zoom: in any case, to it and what is around it.
TV.goTo = function (view, task, zoom = false) {
	const [begin, end] = TV.timesOf(task), length = Math.max(view.end - view.begin, 1.2 * (end - begin));

	view.selection = task;
	if (zoom)
		view.showAround(begin, end);
	else if (begin < view.begin || end > view.end)
		view.show((begin + end - length) / 2, (begin + end + length) / 2);
	view.select(task);
};

// Selection, neighbors and chain, and what a search found, in every chart.
TV.taskOverlay = function (figure, view) {
	const outline = (context, box, place, color, width) => {
		context.strokeStyle = color;
		context.lineWidth = width;
		context.strokeRect(box.x0 - 0.5, box.y0 - 0.5, Math.max(box.x1 - box.x0, 2) + 1, box.y1 - box.y0 + 1);
	};
	const link = (context, from, to, color, width) => {
		const y0 = (from.y0 + from.y1) / 2, y1 = (to.y0 + to.y1) / 2;

		context.strokeStyle = color;
		context.lineWidth = width;
		context.beginPath();
		context.moveTo(from.x1, y0);
		context.lineTo(to.x0, y1);
		context.stroke();
	};

	figure.overlays.push((context) => {
		for (const place of figure.layout.frames) {
			const { chart } = place.frame, ink = figure.dark ? '#ffffff' : '#000000';

			if (!chart || !chart.tasks || !figure.draw.seen(place.top, place.top + place.height))
				continue;
			const boxOf = (row) => {
				const item = chart.itemOf(row);

				return item < 0 ? null : figure.itemBox(place, chart, item);
			};

			context.save();
			context.beginPath();
			context.rect(place.left, place.top - 3, place.width, place.height + 6);
			context.clip();
			if (view.marked !== null && !view.filter && view.marked.run === chart.run)
				for (const row of view.marked.rows.slice(0, 5000)) {
					const box = boxOf(row);

					if (box !== null && box.x1 >= place.left && box.x0 <= place.left + place.width)
						outline(context, box, place, figure.dark ? '#ffd54a' : '#d98e00', 1.5);
				}
			if (view.selection !== null && view.selection.run === chart.run) {
				const { row } = view.selection, graph = TV.Graph.of(chart.run), own = boxOf(row);
				const chain = graph.chain(row).rows.map(boxOf).filter((box) => box !== null);

				for (let k = 1; k < chain.length; k++)
					link(context, chain[k - 1], chain[k], figure.dark ? '#ff8a5c' : '#d1410c', 1.6);
				if (own !== null) {
					for (const other of graph.predecessors(row).slice(0, 500)) {
						const box = boxOf(other);

						if (box !== null) {
							link(context, box, own, figure.dark ? '#7cc7ff' : '#0b63b5', 1);
							outline(context, box, place, figure.dark ? '#7cc7ff' : '#0b63b5', 1);
						}
					}
					for (const other of graph.successors(row).slice(0, 500)) {
						const box = boxOf(other);

						if (box !== null) {
							link(context, own, box, figure.dark ? '#8fe08f' : '#1c7a1c', 1);
							outline(context, box, place, figure.dark ? '#8fe08f' : '#1c7a1c', 1);
						}
					}
					outline(context, own, place, ink, 2);
				}
			}
			const { hover } = figure;

			if (hover && hover.item >= 0 && hover.chart.tasks && hover.chart.run === chart.run) {
				const box = boxOf(hover.chart.row[hover.item]);

				if (box !== null)
					outline(context, box, place, ink, 1);
			}
			context.restore();
		}
	});
};
