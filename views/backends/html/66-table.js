// SPDX-License-Identifier: GPL-3.0-or-later
// A table that is sorted by a click on a column's name. Only the rows in its window are elements: 10^6 cost as
// many as 30.
'use strict';

TV.ROW = 18; // pixels

// columns: [{name, title, value(i), text(i), number, exact(i)}]; exact: the title of a cell; value is what it is sorted by: a number (number: true) or a
// text; null: missing. rows: numbers of rows;
// onchoose(i): a row was clicked; about: of the table, for readers of screens.
TV.Table = class {
	constructor({ about, columns, onchoose }) {
		Object.assign(this, { columns, onchoose, rows: [], chosen: -1, by: -1, falling: false });
		this.head = TV.el('tr', { role: 'row' }, ...columns.map((column, c) => TV.el('th', {
			role: 'columnheader', title: column.title || null, class: column.number ? 'tv-number' : null, scope: 'col',
		}, TV.el('button', { type: 'button', onclick: () => this.sort(c) }, column.name))));
		this.before = TV.el('tr', { 'aria-hidden': 'true' }, TV.el('td', { colspan: columns.length }));
		this.after = TV.el('tr', { 'aria-hidden': 'true' }, TV.el('td', { colspan: columns.length }));
		this.body = TV.el('tbody');
		this.element = TV.el('div', { class: 'tv-table', tabindex: '0', role: 'group', 'aria-label': about },
			TV.el('table', { role: 'grid' }, TV.el('thead', {}, this.head), this.body));
		this.element.addEventListener('scroll', () => this.show());
		this.element.addEventListener('keydown', (event) => this.key(event));
		this.drawn = '';
		new ResizeObserver(() => this.show()).observe(this.element);
	}

	set(rows) {
		this.rows = Array.from(rows);
		this.element.firstChild.setAttribute('aria-rowcount', this.rows.length + 1);
		this.arrange();
	}

	// Again by the same column: the other way round. Numbers begin with the largest.
	sort(c) {
		this.falling = this.by === c ? !this.falling : Boolean(this.columns[c].number);
		this.by = c;
		this.element.scrollTop = 0;
		this.arrange();
	}

	arrange() {
		const { by, falling, rows } = this;

		if (by >= 0) {
			const keys = this.keys(this.columns[by]), sign = falling ? -1 : 1, order = Uint32Array.from(rows).sort();

			// Missing values are last, either way.
			for (let i = 0; i < order.length; i++)
				keys[i] = Number.isNaN(keys[i]) ? Infinity : sign * keys[i];
			this.rows = Array.from(order.keys()).sort((a, b) => keys[a] - keys[b] || a - b).map((i) => order[i]);
		}
		this.head.childNodes.forEach((cell, c) => {
			cell.setAttribute('aria-sort', c !== by ? 'none' : falling ? 'descending' : 'ascending');
		});
		this.drawn = '';
		this.show();
	}

	// What the rows, in ascending order, are sorted by: numbers; NaN: missing. Texts have their place among all.
	keys({ value, number }) {
		const values = Array.from(Uint32Array.from(this.rows).sort(), (row) => value(row));

		if (number || values.every((one) => typeof one === 'number'))
			return Float64Array.from(values, (one) => one === null ? NaN : one);
		const place = new Map([...new Set(values)].sort(TV.natural.compare).map((text, i) => [text, i]));

		return Float64Array.from(values, (text) => place.get(text));
	}

	// Rows in the window and some around it.
	show() {
		const { element, rows, columns } = this, high = element.clientHeight;

		if (high === 0)
			return;
		const first = TV.clamp(Math.floor(element.scrollTop / TV.ROW) - 10, 0, rows.length), last = Math.min(first + Math.ceil(high / TV.ROW) + 20, rows.length);
		const key = `${first} ${last} ${this.chosen}`;

		if (key === this.drawn)
			return;
		this.drawn = key;
		this.before.style.height = `${first * TV.ROW}px`;
		this.after.style.height = `${(rows.length - last) * TV.ROW}px`;
		this.body.replaceChildren(this.before, ...rows.slice(first, last).map((row, k) => TV.el('tr', {
			'aria-rowindex': first + k + 2, 'aria-selected': row === this.chosen ? 'true' : 'false', onclick: () => this.choose(row),
		}, ...columns.map((column) => {
			const text = column.text(row);

			return TV.el('td', { class: column.number ? 'tv-number' : null, title: column.exact ? column.exact(row) : text.length > 24 ? text : null }, TV.placed(text));
		}))), this.after);
	}

	choose(row) {
		this.mark(row);
		this.onchoose(row);
	}

	// Marks a row and scrolls to it; -1: none.
	mark(row) {
		const at = row < 0 ? -1 : this.rows.indexOf(row), { element } = this, top = at * TV.ROW, head = this.head.clientHeight;

		this.chosen = row;
		if (at >= 0 && (top < element.scrollTop || top + head + TV.ROW > element.scrollTop + element.clientHeight))
			element.scrollTop = Math.max(top - element.clientHeight / 2, 0);
		this.show();
	}

	// Up and down choose the row before and after.
	key(event) {
		const by = { ArrowUp: -1, ArrowDown: 1, PageUp: -20, PageDown: 20, Home: -Infinity, End: Infinity }[event.key];

		if (by === undefined || this.rows.length === 0)
			return;
		event.preventDefault();
		event.stopPropagation();
		this.choose(this.rows[TV.clamp(Math.max(this.rows.indexOf(this.chosen), by > 0 ? -1 : 0) + by, 0, this.rows.length - 1)]);
	}
};

// CPU2 before CPU10.
TV.natural = new Intl.Collator('en', { numeric: true });
