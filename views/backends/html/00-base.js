// SPDX-License-Identifier: GPL-3.0-or-later
// The viewer of the interactive report. Its files are concatenated in the order of their names; they share
// one object, TV. Each file adds to it what the following ones use. Names of a trace reach the page through
// textContent and text of a canvas alone, never as markup.
'use strict';

const TV = {
	data: null, // the file: 10-data.js
	scene: null, // what is drawn: 20-scene.js
	view: null, // what of it is seen: 40-view.js
};

// An element: el('div', {class: 'a', title: 'b', onclick: f}, child, 'text', ...).
TV.el = function (name, properties, ...children) {
	const element = document.createElement(name);

	for (const [key, value] of Object.entries(properties || {})) {
		if (key.startsWith('on'))
			element.addEventListener(key.slice(2), value);
		else if (value !== false && value !== null && value !== undefined)
			element.setAttribute(key, value === true ? '' : value);
	}
	for (const child of children)
		if (child !== null && child !== undefined)
			element.append(child);
	return element;
};

TV.clamp = (x, min, max) => Math.min(Math.max(x, min), max);

// Observers of what happens: TV.on('view', f), TV.emit('view', value).
TV.observers = new Map();
TV.on = function (what, f) {
	if (!TV.observers.has(what))
		TV.observers.set(what, []);
	TV.observers.get(what).push(f);
};
TV.emit = function (what, value) {
	for (const f of TV.observers.get(what) || [])
		f(value);
};

// The first index of [from, to) whose value is greater than x, in an ascending array.
TV.after = function (array, x, from, to) {
	while (from < to) {
		const middle = (from + to) >>> 1;

		if (array[middle] <= x)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
};

// A length of time in ns, for reading: "12.345 ms". digits: of the number.
TV.duration = function (ns, digits = 4) {
	const units = [['s', 1e9], ['ms', 1e6], ['µs', 1e3], ['ns', 1]];
	const size = Math.abs(ns);
	const [name, length] = units.find(([, l]) => size >= l) || units[3];

	if (length === 1)
		return `${+ns.toFixed(1)} ns`;
	const value = ns / length;
	const whole = Math.max(1, Math.floor(Math.log10(Math.abs(value))) + 1);

	return `${value.toFixed(Math.max(0, digits - whole))} ${name}`;
};

// An instant (BigInt ns), exact: "1234.567891 ms".
TV.instant = function (ns) {
	const sign = ns < 0n ? '−' : '', size = ns < 0n ? -ns : ns;
	const rest = String(size % 1000000n).padStart(6, '0').replace(/0+$/, '');

	return `${sign}${size / 1000000n}${rest === '' ? '' : '.' + rest} ms`;
};

TV.number = function (value) {
	if (Number.isInteger(value) || typeof value === 'bigint')
		return String(value).replace(/\B(?=(\d{3})+$)/g, '\u202f');
	return String(+value.toPrecision(7));
};
