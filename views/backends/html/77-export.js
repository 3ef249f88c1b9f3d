// SPDX-License-Identifier: GPL-3.0-or-later
// Taking away: the view as SVG and PNG, tasks as CSV, and the command that draws the view. Nothing is sent: a
// file is a blob of the page.
'use strict';

TV.Export = class {
	constructor(figure, view) {
		Object.assign(this, { figure, view });
	}

	// Draws the view, all of its height, with the ruler of time above it and the legend below.
	draw(context, ratio) {
		const { figure } = this, layout = figure.laid(), { draw, width, pointer, hover } = figure;
		const head = 26, legend = this.legend(context, width), height = head + layout.height + legend.height;

		figure.pointer = figure.hover = null;
		draw.still = true; // nothing in it can be clicked
		draw.all(context, layout, -head, width, height, ratio);
		context.setTransform(ratio, 0, 0, ratio, 0, head * ratio);
		for (const paint of figure.overlays) {
			context.save();
			paint(context, figure);
			context.restore();
		}
		Object.assign(figure, { pointer, hover });
		context.setTransform(ratio, 0, 0, ratio, 0, 0);
		layout.columns.forEach((column, k) => {
			const left = Math.round(layout.x(column.x)), right = Math.round(layout.x(column.end));

			figure.drawTicks(context, draw.ticks[k], left, right - left, 2);
		});
		for (const { type, x, y } of legend.entries) {
			const at = head + layout.height + y;

			context.fillStyle = TV.colors.css(type.color);
			context.fillRect(x, at - 5, 10, 10);
			context.font = `11px ${TV.FONT}`;
			context.textAlign = 'left';
			context.textBaseline = 'middle';
			context.fillStyle = TV.colors.css(0x1a1a1a);
			context.fillText(TV.shorten(context, TV.visible(type.name), 240), x + 15, at + 0.5);
		}
		// What is drawn next is the window again.
		draw.still = false;
		draw.buffers.clear();
		figure.ask();
	}

	height() {
		const context = TV.el('canvas').getContext('2d');

		return 26 + this.figure.laid().height + this.legend(context, this.figure.width).height;
	}

	// Types that are shown, in lines.
	legend(context, width) {
		const entries = [];
		let x = 14, y = 16;

		context.font = `11px ${TV.FONT}`;
		for (const type of this.view.scene.types) {
			if (this.view.hidden.has(type.name) || type.name === '')
				continue;
			const room = 33 + context.measureText(TV.shorten(context, TV.visible(type.name), 240)).width;

			if (x + room > width && x > 14) {
				x = 14;
				y += 18;
			}
			entries.push({ type, x, y });
			x += room;
		}
		return { entries, height: entries.length > 0 ? y + 16 : 0 };
	}

	svg() {
		const height = this.height(), context = new TV.SvgContext(this.figure.width, height, 2);

		context.put(`<title>${TV.xml(document.title)}</title>`);
		context.put(`<desc>${TV.xml(this.command())}</desc>`);
		// The glyphs that the page has: texts look the same where the font is missing.
		for (const { textContent } of document.querySelectorAll('#tv-fonts'))
			context.put(`<style>${TV.xml(textContent.replaceAll('\n', ''))}</style>`);
		this.draw(context, context.ratio);
		return context.text();
	}

	png() {
		const { figure } = this, ratio = Math.max(figure.ratio, 2);
		const canvas = TV.el('canvas', { width: Math.round(figure.width * ratio), height: Math.round(this.height() * ratio) });

		this.draw(canvas.getContext('2d', { alpha: false }), ratio);
		return new Promise((done, failed) => {
			canvas.toBlob((blob) => blob === null ? failed(new Error('the picture is too large')) : done(blob), 'image/png');
		});
	}

	/*
	 * Which tasks are meant: those that touch the marked region, those that a search found, both if there are
	 * both; else the selected one; else those in the window. Without a search they are those that charts show: neither
	 * messages nor hidden types. {what, runs: [{run, rows}]}
	 */
	tasks() {
		const { view } = this, { region, marked } = view, runs = [];
		const one = region === null && marked === null && view.selection !== null ? view.selection : null;
		const span = region || (marked === null && one === null ? { begin: view.begin, end: view.end } : null);
		const what = one ? 'the selected task' : [marked && 'found tasks', region && 'the marked region'].filter((text) => text).join(' in ') || 'tasks in the window';

		TV.data.header.runs.forEach((_, run) => {
			const start = TV.data.values(run, 'tasks', 'Start'), { worker } = region === null ? {} : view.keepMarked(run), shown = TV.shownRows(run, view.hidden, marked !== null || one !== null), rows = [];

			if (start === null)
				return;
			const found = marked === null ? null : marked.run === run ? new Set(marked.rows) : new Set();
			const [begin, end] = ['Start', 'End'].map((name) => TV.data.relative(`run${run}.tasks.${name}`, TV.scene.base));

			for (let row = 0; row < start.length; row++) {
				if (start[row] === TV.MISSING_INT || !shown(row) || (found !== null && !found.has(row))
					|| (worker && !worker(TV.Work.of(run).worker[row])))
					continue;
				if (one !== null ? one.run === run && one.row === row : span === null || TV.touches(begin[row], end[row], span))
					rows.push(row);
			}
			if (rows.length > 0)
				runs.push({ run, rows });
		});
		return { what, runs };
	}

	command() {
		return TV.command(TV.data.header, this.view);
	}

	// The name of a file: of the trace, without what file systems do not take.
	name(ending, label = '') {
		const part = (text) => text.replace(/[^\p{L}\p{N}._+-]+/gu, '-').replace(/^[.-]+|-+$/g, '').slice(0, 60);

		return `${[part(document.title), part(label)].filter((text) => text !== '').join('-') || 'trace'}.${ending}`;
	}

	save(blob, name) {
		const link = TV.el('a', { href: URL.createObjectURL(blob), download: name });

		link.click();
		setTimeout(() => URL.revokeObjectURL(link.href), 60000);
	}

	saveSvg() {
		this.save(new Blob([this.svg()], { type: 'image/svg+xml' }), this.name('svg'));
	}

	async savePng() {
		this.save(await this.png(), this.name('png'));
	}

	saveCsv() {
		const { runs } = this.tasks(), all = TV.data.header.runs;

		for (const { run, rows } of runs)
			this.save(new Blob([TV.csv(run, rows)], { type: 'text/csv' }), this.name('csv', all.length > 1 ? all[run].label : ''));
	}
};

// Whether charts show a row of tasks: one of its items has no hidden type. absent: rows that no chart has, too.
TV.shownRows = function (run, hidden, absent) {
	const charts = TV.scene.charts.filter((chart) => chart.tasks && chart.run === run);

	return (row) => {
		const of = charts.filter((chart) => chart.itemOf(row) >= 0);

		return of.length === 0 ? absent || charts.length === 0 : of.every((chart) => !hidden.has(chart.type[chart.style[chart.itemOf(row)] >> 1].name));
	};
};

// The names in the trace of tasks of hidden types: a type's own name can be shortened, or be that of many.
TV.hiddenNames = function (view) {
	const names = new Set();

	for (const chart of view.scene.charts) {
		const entry = chart.tasks && TV.data.table(chart.run, 'tasks').find((column) => column.name === 'Value'), seen = new Set();

		for (let i = 0; entry && i < chart.n; i++) {
			const value = TV.data.column(entry.column)[chart.row[i]];

			if (seen.has(value) || !view.hidden.has(chart.type[chart.style[i] >> 1].name))
				continue;
			seen.add(value);
			names.add(TV.data.raw(entry, chart.row[i]));
		}
	}
	return [...names].filter((name) => name !== null);
};

TV.csvQuoted = (text) => text === '' || /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;

// Rows of the table of tasks as the CSV of the trace has them.
TV.csv = function (run, rows) {
	const { data } = TV, columns = data.table(run, 'tasks'), byName = new Map(columns.map((entry) => [entry.name, entry]));
	const names = data.header.runs[run].columns, lines = [names.map(TV.csvQuoted).join(',')];
	const start = data.values(run, 'tasks', 'Start'), end = data.values(run, 'tasks', 'End'), depends = TV.dependsOn(run);

	const duration = (row) => start[row] === TV.MISSING_INT || end[row] === TV.MISSING_INT ? null : TV.milliseconds(end[row] - start[row]);

	for (const row of rows)
		lines.push(names.map((name) => {
			const text = name === 'Duration' ? duration(row) : name === 'DependsOn' ? depends(row) : data.raw(byName.get(name), row);

			return text === null ? '' : TV.csvQuoted(text);
		}).join(','));
	return `${lines.join('\n')}\n`;
};

// The text of DependsOn of a row; null if it is empty. What the graph does not have is in columns of its own.
TV.dependsOn = function (run) {
	const { data } = TV, first = data.column(`run${run}.graph.first`), before = data.column(`run${run}.graph.before`), special = new Map();
	const job = data.table(run, 'tasks').find((entry) => entry.name === 'JobId');
	const rows = data.column(`run${run}.depends.row`), text = data.column(`run${run}.depends.text`);

	for (let k = 0; rows !== null && k < rows.length; k++)
		special.set(rows[k], text[k] === TV.NONE ? null : data.string(text[k]));
	return (row) => {
		const jobs = [];

		if (special.has(row))
			return special.get(row);
		for (let k = first === null ? 0 : first[row]; first !== null && k < first[row + 1]; k++)
			jobs.push(data.raw(job, before[k]));
		return jobs.length > 0 ? jobs.join(' ') : null;
	};
};

// A word for a shell.
TV.shellWord = (text) => /^[A-Za-z0-9_.,:+%@/=-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`;

// The words of a command that shellWord() quoted.
TV.shellWords = function (text) {
	const words = [];

	for (const [, word] of text.matchAll(/((?:[^\s'\\]|\\.|'[^']*')+)/gs))
		words.push(word.replace(/'([^']*)'|\\(.)/gs, (_, quoted, escaped) => quoted !== undefined ? quoted : escaped));
	return words;
};

// The command that draws what is seen: the one of the file, with this window, these panels, types and colors.
TV.command = function (header, view) {
	const words = TV.shellWords(header.command), { scene } = view, kept = [], was = new Map();
	const whole = view.begin === scene.begin && view.end === scene.end, add = [];
	const replaced = new Set(whole ? [] : ['--begin', '--end']);

	if (view.panels.size > 0)
		replaced.add('--panels');
	if (view.panels.has('zoom'))
		replaced.add('--zoom');
	if (view.hidden.size > 0)
		['--exclude', '--where'].forEach((name) => replaced.add(name));
	if (view.palette === 'colorblind')
		replaced.add('--palette');
	for (let i = 1; i < words.length; i++)
		if (replaced.has(words[i]) && i + 1 < words.length)
			was.set(words[i], words[++i]);
		else
			kept.push(words[i]);
	if (!whole)
		[['--begin', view.begin], ['--end', view.end]].forEach(([name, time]) =>
			add.push(`${name}=${TV.milliseconds(scene.base + BigInt(Math.round(time)))}`));
	if (view.panels.size > 0)
		add.push('--panels', [...new Set(scene.parts.filter((part) => TV.isPanel(scene, part)).map((part) => part.name))].filter((name) => !view.panels.has(name)).join(','));
	if (view.hidden.size > 0)
		add.push(...TV.withoutTypes(view, was));
	if (view.palette === 'colorblind')
		add.push('--palette', 'colorblind');
	return ['traceviz', 'plot', ...add, ...kept, '-o', 'figure.pdf'].map(TV.shellWord).join(' ');
};

TV.isPanel = (scene, part) => part.name !== '' && !['header', 'legend', 'axis', 'annotations'].includes(part.name);

// --exclude for names that it can list, --where for others.
TV.withoutTypes = function (view, was) {
	const types = TV.hiddenNames(view);
	const plain = types.filter((name) => /^[^,*?[\]\\]+$/.test(name)), others = types.filter((name) => !plain.includes(name)), add = [];
	const list = [...(was.has('--exclude') ? [was.get('--exclude')] : []), ...plain];
	const tests = [...(was.has('--where') ? [`(${was.get('--where')})`] : []), ...others.map((name) => `Value != ${TV.quoted(name)}`)];

	if (list.length > 0)
		add.push('--exclude', list.join(','));
	if (tests.length > 0)
		add.push('--where', tests.length > 1 ? tests.join(' and ') : tests[0].replace(/^\((.*)\)$/s, '$1'));
	return add;
};

// A text of the language of --where. It has no escapes: what has both kinds of quotes is not written as one.
TV.quoted = (text) => text.includes("'") ? `"${text}"` : `'${text}'`;

// The menu "save" of the bar.
TV.saveMenu = function (root, figure, view) {
	const way = new TV.Export(figure, view), menu = root.querySelector('.tv-save'), status = TV.el('p', { class: 'tv-save-status', 'aria-live': 'polite' });
	const item = (name, text, run) => TV.el('button', {
		type: 'button', 'data-save': name, onclick: async () => {
			try {
				await run();
				close();
			} catch (error) {
				status.textContent = `Not saved: ${error.message}.`;
			}
		},
	}, text);
	const csv = item('csv', '', () => way.saveCsv());

	menu.append(TV.el('div', { class: 'tv-menu-list' },
		item('svg', 'view as SVG', () => way.saveSvg()), item('png', 'view as PNG', () => way.savePng()), csv,
		item('command', 'command that draws it …', () => TV.showCommand(way)), status));
	const close = TV.menu(menu);

	menu.addEventListener('toggle', () => {
		if (!menu.open)
			return;
		const { what, runs } = way.tasks(), n = runs.reduce((all, one) => all + one.rows.length, 0);

		status.textContent = '';
		csv.textContent = n === 0 ? 'tasks as CSV: none' : `${what} as CSV (${TV.number(n)})`;
		csv.disabled = n === 0;
	});
	TV.key(['e'], 'save: SVG, PNG, CSV, command', () => {
		menu.open = true;
	});
	TV.exporting = way;
};

TV.showCommand = function (way) {
	const text = TV.el('textarea', { readonly: true, rows: '6', spellcheck: 'false', 'aria-label': 'command', autofocus: true });
	const box = TV.el('dialog', { class: 'tv-help tv-command', 'aria-label': 'the command that draws this view', onclose: () => box.remove() },
		TV.el('h2', {}, 'The command that draws this view'), text,
		TV.el('form', { method: 'dialog' }, TV.el('button', { type: 'button', onclick: (event) => TV.copyFrom(text, event.target) }, 'copy'), ' ', TV.el('button', {}, 'close')));

	text.value = way.command();
	document.body.append(box);
	box.showModal();
	text.select();
};

TV.copyFrom = function (area, button) {
	area.select();
	button.textContent = document.execCommand('copy') ? 'copied' : 'not copied';
};
