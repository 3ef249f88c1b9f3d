// SPDX-License-Identifier: GPL-3.0-or-later
// The viewer of the interactive report. Its files are concatenated in the order of their names; they share
// one object, TV. Each file adds to it what the following ones use. Names of a trace reach the page through
// textContent and text of a canvas alone, never as markup.
'use strict';

const TV = {
	data: null, // the file: 10-data.js
	scene: null, // what is drawn: 20-scene.js
	view: null, // what of it is seen: 40-view.js
	tiles: null, // what is loaded of tasks in files beside the page: 80-tiles.js
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
			element.append(typeof child === 'string' ? TV.visible(child) : child);
	return element;
};

// Text for display: characters that control a terminal or a page get their pictures.
TV.visible = (text) => text.replace(/[\0-\x1f\x7f]/g, (c) => c === '\x7f' ? '\u2421' : String.fromCharCode(0x2400 + c.charCodeAt(0)))
	.replace(/[\x80-\x9f]/g, '\ufffd');

// The beginning of a text that is not wider than a width, with an ellipsis if it is not all.
TV.shorten = function (context, text, width) {
	// No letter is narrower than a pixel.
	const letters = Array.from(text.slice(0, 2 * Math.ceil(width) + 2));

	if (letters.length <= width && text.length <= 2 * width && context.measureText(text).width <= width)
		return text;
	let from = 0, to = letters.length;

	while (from < to) {
		const middle = (from + to + 1) >> 1;

		if (context.measureText(`${letters.slice(0, middle).join('')}…`).width <= width)
			from = middle;
		else
			to = middle - 1;
	}
	return `${letters.slice(0, from).join('')}…`;
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

// The same as the CSV has it: "1234.567891".
TV.milliseconds = function (ns) {
	const size = ns < 0n ? -ns : ns;

	return `${ns < 0n ? '-' : ''}${size / 1000000n}.${String(size % 1000000n).padStart(6, '0')}`;
};

TV.number = function (value) {
	if (Number.isInteger(value) || typeof value === 'bigint')
		return String(value).replace(/\B(?=(\d{3})+$)/g, '\u202f');
	return String(+value.toPrecision(7));
};
