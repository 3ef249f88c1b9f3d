// SPDX-License-Identifier: GPL-3.0-or-later
// The bar above the figure: title, search, theme and palette, help; and the legend, which hides types.
'use strict';

TV.bar = function (root, view) {
	const { header } = TV.data, button = (text, title, run) => TV.el('button', { type: 'button', title, onclick: run }, text);
	const status = TV.el('span', { class: 'tv-time' }), span = TV.el('span', { class: 'tv-window' });
	const theme = button('', 'dark or light', () => {
		view.theme = view.isDark() ? 'light' : 'dark';
		view.changed('theme');
	});
	const palette = button('', 'colors that color-blind readers can distinguish', () => {
		view.palette = view.palette === 'trace' ? 'colorblind' : 'trace';
		view.changed('theme');
	});
	const search = TV.tiles ? null : TV.search(view), title = document.title;

	root.append(TV.el('header', { class: 'tv-bar' },
		TV.el('h1', { class: 'tv-title', title: header.command || null }, title), search, status, span, TV.el('span', { class: 'tv-buttons' },
			TV.tiles ? null : button('numbers', 'statistics and tables (i)', () => view.openTab(view.tab || TV.tabs[0].name)),
			button('all', 'show the whole run (0)', () => view.reset()), button('‹', 'back to the window before ([)', () => view.back()),
			button('›', 'forward to the window after (])', () => view.forward()), palette, theme, TV.panelMenu(view),
			TV.tiles ? null : TV.el('details', { class: 'tv-menu tv-save' }, TV.el('summary', { title: 'save as SVG, PNG, CSV; the command (e)' }, 'save')), button('?', 'keys', () => TV.help()))));
	TV.on('view', () => {
		span.textContent = `window ${TV.duration(view.end - view.begin)}`;
		theme.textContent = view.isDark() ? 'light' : 'dark';
		palette.textContent = view.palette === 'trace' ? 'color-blind' : 'usual colors';
	});
	matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => view.changed('theme'));
	return status;
};

// Panels can be closed; a menu, since a triangle on a canvas is for the mouse alone.
TV.panelMenu = function (view) {
	const parts = new Map(view.scene.frames.filter((frame) => frame.timed).map((frame) => [frame.name, view.scene.parts[frame.part].title]));
	const list = TV.el('div', { class: 'tv-menu-list', role: 'group', 'aria-label': 'panels' });
	const menu = TV.el('details', { class: 'tv-menu tv-panels' }, TV.el('summary', { title: 'open and close panels' }, 'panels'), list);

	for (const [name, title] of parts) {
		const one = TV.el('button', { type: 'button', title: title || null, onclick: () => view.togglePanel(name) }, name);

		list.append(one);
		TV.on('view', () => {
			one.setAttribute('aria-pressed', view.panels.has(name) ? 'false' : 'true');
		});
	}
	TV.menu(menu);
	return menu;
};

// A menu opens with its first entry; arrows go through the entries, Escape and a press elsewhere close it.
TV.menu = function (menu) {
	const close = () => {
		menu.open = false;
		menu.firstChild.focus();
	};

	menu.addEventListener('toggle', () => {
		if (menu.open)
			menu.querySelector('.tv-menu-list button:enabled').focus();
	});
	menu.addEventListener('keydown', (event) => {
		const buttons = [...menu.querySelectorAll('.tv-menu-list button:enabled')], at = buttons.indexOf(document.activeElement);

		if (!menu.open)
			return;
		if (event.key === 'Escape')
			close();
		else if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
			buttons[(at + (event.key === 'ArrowDown' ? 1 : buttons.length - 1)) % buttons.length].focus();
		else
			return;
		event.preventDefault();
		event.stopPropagation();
	});
	document.addEventListener('pointerdown', (event) => {
		if (!menu.contains(event.target))
			menu.open = false;
	});
	return close;
};

// What the two colors of a type are.
TV.swatchTitle = () => `left: outliers${TV.words === null ? '' : ` (${TV.words.meanings.get('outlier').text})`}; right: the other tasks`;

TV.legend = function (root, view) {
	const list = TV.el('div', { class: 'tv-legend', role: 'group', 'aria-label': 'types of tasks' });

	for (const type of view.scene.types) {
		const swatch = TV.el('span', { class: 'tv-swatch', title: type.color === type.faded ? null : TV.swatchTitle() });
		const chip = TV.el('button', {
			type: 'button', class: 'tv-chip', title: 'click: hide or show; double click, or with Shift: this one alone',
			onclick: (event) => event.shiftKey ? view.isolate(type.name) : view.toggleType(type.name), ondblclick: () => view.isolate(type.name),
		}, swatch, TV.el('span', { class: 'tv-chip-name' }, type.name || '(no type)'),
		TV.el('span', { class: 'tv-chip-count' }, type.count ? TV.number(type.count) : ''));

		chip.dataset.type = type.name;
		list.append(chip);
		TV.on('view', () => {
			chip.setAttribute('aria-pressed', view.hidden.has(type.name) ? 'false' : 'true');
		});
		TV.on('colors', () => {
			swatch.style.background = TV.colors.swatch(type);
		});
	}
	if (view.scene.types.some((type) => type.color !== type.faded && type.charts.some((chart) => chart.tasks)))
		list.append(TV.el('span', { class: 'tv-legend-note' }, 'dark: ', TV.words === null ? 'outliers' : TV.words.element('outliers', 'outlier'), ', light: the other tasks'));
	root.append(list);
};

// The keys, in a box over the page.
TV.help = function () {
	const open = document.querySelector('.tv-help');

	if (open !== null) {
		open.close();
		open.remove();
		return;
	}
	const name = (key) => ({ ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc' })[key] || key;
	const table = TV.el('table'), line = (keys, text) => {
		const cell = TV.el('td');

		keys.forEach((key) => cell.append(TV.el('kbd', {}, name(key)), ' '));
		table.append(TV.el('tr', {}, cell, TV.el('td', {}, text)));
	};

	for (const entry of TV.keys)
		line(entry.keys, entry.text);
	line(['wheel'], 'zoom at the pointer; with Shift: along; with Alt: rows');
	line(['drag'], 'show that region; with Shift: move; with Alt or Ctrl: mark a region and measure it; across rows: of these rows alone');
	line(['click'], 'select a task: predecessors blue, successors green, chain orange');
	const box = TV.el('dialog', { class: 'tv-help', 'aria-label': 'keys', onclose: () => box.remove() }, TV.el('h2', {}, 'Keys and mouse'), table,
		TV.el('form', { method: 'dialog' }, TV.el('button', {}, 'close')));

	document.body.append(box);
	box.showModal();
};
