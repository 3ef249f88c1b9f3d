// SPDX-License-Identifier: GPL-3.0-or-later
// One task, MPI call or idle time: hover shows what is known of it; a click selects it, and of a task its neighbors and chain are drawn
// in every panel. What is known of the selected one stays and can be copied.
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

// The task, call or gap at a point of the figure; null: there is none.
TV.oneAt = function (hit) {
	if (hit === null)
		return null;
	if (hit.item < 0)
		return TV.gapOf(hit);
	return hit.chart.tasks ? { run: hit.chart.run, row: hit.chart.row[hit.item] } : TV.callOf(hit.chart, hit.item);
};

// What one of them is called, in words, and everything known of it.
TV.wordsOf = (one) => one.gap !== undefined ? ['idle:', TV.Work.of(one.run).workers[TV.Work.of(one.run).gap.worker[one.gap]].name] : one.call ? TV.Calls.of(one.run).words(one.row) : TV.nameWords(one);
TV.knownOf = (one) => one.gap !== undefined ? TV.gapFacts(one) : one.call ? TV.Calls.of(one.run).facts(one.row) : TV.factsOf(one);

TV.card = function (one, buttons, ...body) {
	const chart = one.call ? TV.chartOfCall(one) : undefined, type = one.gap !== undefined ? null : chart ? chart.type[chart.style[chart.itemOf(one.row)] >> 1] : one.call ? null : TV.typeOf(one);
	const swatch = TV.el('span', { class: 'tv-swatch' });

	swatch.style.background = type ? TV.colors.swatch(type) : 'transparent';
	return TV.el('div', { class: 'tv-card' },
		TV.el('div', { class: 'tv-card-head' }, swatch, TV.el('b', {}, ...TV.wordsOf(one).flatMap((word, i) => [i > 0 ? ' ' : null, TV.placed(word)])), buttons ? TV.el('span', { class: 'tv-card-buttons' }, ...buttons) : null), ...body);
};

// For the pointer: everything known of one of them, in two columns where that is much.
TV.tipCard = function (one) {
	const facts = TV.knownOf(one);

	return TV.card(one, null, TV.factTable(facts, facts.length > 14 ? 2 : 1), one.gap === undefined ? null : TV.el('div', {}, TV.culpritWords(one)));
};

TV.cardText = (one) => [TV.wordsOf(one).join(' '), ...TV.knownOf(one).map(([name, text]) => `${name}\t${text}`)].join('\n');

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

		const one = TV.oneAt(hit);

		figure.hover = hit;
		figure.hoverGap = one !== null && one.gap !== undefined ? one : null;
		if (one === null && (hit === null || hit.item < 0)) {
			tip.hidden = true;
			shown = '';
			return;
		}
		const key = hit.item < 0 ? `${one.run} gap ${one.gap}` : `${chart.number}-${hit.item}`;

		if (key !== shown) {
			shown = key;
			tip.replaceChildren(one !== null ? TV.tipCard(one) : TV.itemCard(chart, hit.item, hit.r));
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
		view.select(TV.oneAt(figure.hit(at.x, at.y)));
	});
	TV.on('selection', () => {
		const one = view.chosen();

		pinned.hidden = one === null;
		tip.hidden = true;
		shown = '';
		if (one === null)
			return;
		const facts = TV.knownOf(one), first = one === view.selection ? facts.filter(([name]) => TV.firstFacts.includes(name)) : facts, card = TV.card(one, [
			TV.el('button', { type: 'button', title: 'copy as text', onclick: (event) => TV.copy(TV.cardText(one), event.target) }, 'copy'),
			TV.el('button', { type: 'button', title: 'show it in the window (f)', onclick: () => view.fit() }, 'fit'),
			TV.el('button', { type: 'button', title: 'close (Escape)', 'aria-label': 'close', onclick: () => view.select(null) }, '×'),
		], TV.factTable(first, 1));

		if (one === view.gap)
			card.append(TV.culpritLine(view, one), ...TV.besideGap(one).map(([name, row]) => TV.linkLine(view, name, one.run, [row])));
		else if (one === view.selection)
			TV.addNeighbors(view, card, one);
		if (facts.length > first.length)
			card.append(TV.el('details', { open: more, ontoggle: ({ target }) => {
				more = target.open;
			} }, TV.el('summary', {}, `${facts.length - first.length} more`), TV.factTable(facts.slice(first.length), 1)));
		pinned.replaceChildren(card);
	});
	TV.on('colors', () => {
		if (view.chosen() !== null)
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

// Buttons that go to tasks.
TV.linkLine = function (view, name, run, rows) {
	const line = TV.el('div', { class: 'tv-links' }, TV.el('span', {}, name));

	for (const row of rows.slice(0, 12))
		line.append(TV.el('button', { type: 'button', onclick: () => TV.goTo(view, { run, row }) }, TV.nameOf({ run, row })));
	if (rows.length > 12)
		line.append('…');
	return line;
};

// What a task waited for, its neighbors and its chain.
TV.addNeighbors = function (view, card, { run, row }) {
	const graph = TV.Graph.of(run), chain = graph.chain(row), culprit = TV.culpritBefore(view, { run, row }), about = TV.data.header.runs[run];
	const list = (name, rows) => TV.linkLine(view, `${name} ${rows.length === 0 ? '—' : rows.length}`, run, rows);

	if (culprit !== null)
		card.append(culprit);
	if (!TV.tiles)
		card.append(list('predecessors', graph.predecessors(row)), list('successors', graph.successors(row)), TV.el('div', { class: 'tv-links' }, TV.el('span', {}, `chain: ${chain.at} before, ${chain.rows.length - 1 - chain.at} after`)));
	if (chain.rows.length > 1)
		card.append(TV.sumsByType('chain', chain.rows.map((step) => {
			const [begin, end] = TV.timesOf({ run, row: step });

			return { name: TV.valueOf(run, 'Value', step), time: BigInt(end - begin) };
		}), BigInt(about.finish) - BigInt(about.begin)));
};

// What is known of an item that is neither task nor call: a state, a part of a group.
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

// Selects a task or a call and moves the window to it, if it is outside; zoom: in any case, to it and what is around it.
TV.goTo = function (view, task, zoom = false) {
	const [begin, end] = TV.timesOf(task), length = Math.max(view.end - view.begin, 1.2 * (end - begin));

	view.take(task);
	if (zoom)
		view.showAround(begin, end);
	else if (begin < view.begin || end > view.end)
		view.show((begin + end - length) / 2, (begin + end + length) / 2);
	view.select(task);
};

// Draws what is in a frame alone.
TV.inFrame = function (context, place, draw) {
	context.save();
	context.beginPath();
	context.rect(place.left, place.top - 3, place.width, place.height + 6);
	context.clip();
	draw();
	context.restore();
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

	// Calls: the selected one, the one under the pointer, and those that were found.
	figure.overlays.push((context) => {
		for (const place of figure.layout.frames)
			for (const chart of place.frame.charts.filter((one) => one.calls && place.height > 1)) {
				const { call, filter } = view, { hover } = figure, ink = figure.dark ? '#ffffff' : '#000000';
				const outlineItem = (item, color, width) => item >= 0 && TV.inFrame(context, place, () => outline(context, figure.itemBox(place, chart, item), place, color, width));

				if (!filter && view.foundCalls.length > 0)
					TV.inFrame(context, place, () => {
						const found = view.foundRows(chart.run);

						context.strokeStyle = figure.dark ? '#ffd54a' : '#d98e00';
						TV.strokeItems(context, figure, place, chart, (i) => found.has(chart.row[i]));
					});
				if (call !== null && call.run === chart.run)
					outlineItem(chart.itemOf(call.row), ink, 2);
				if (hover && hover.chart === chart)
					outlineItem(hover.item, ink, 1);
			}
	});
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
