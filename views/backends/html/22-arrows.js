// SPDX-License-Identifier: GPL-3.0-or-later
// Arrows over time: their shafts are as long as the time that they show, their heads as large at any zoom.
'use strict';

// By the shape of its head: {from, the first point of the shaft (-1: it has none), length and half width of the head on the page}. A shaft
// goes on to the tip: the head is drawn over it.
TV.findArrows = function ({ shape, point, styles, frames }) {
	const arrows = new Map();

	for (let i = 0; i < shape.kind.length; i++) {
		const frame = frames[shape.frame[i]], tip = shape.first[i], like = (k) => ['frame', 'row', 'label'].every((name) => shape[name][k] === shape[name][i]);

		if (shape.kind[i] !== TV.POLYGON || shape.n[i] !== 3 || !frame.timed || !styles[shape.style[i]].class.endsWith('-head'))
			continue;
		const size = (dx, dy) => Math.hypot(dx / frame.duration * frame.width, dy / frame.rows * frame.height), middle = (of) => (of[tip + 1] + of[tip + 2]) / 2;
		const arrow = {
			from: -1, length: size(point.x[tip] - middle(point.x), point.y[tip] - middle(point.y)),
			half: size(point.x[tip + 1] - point.x[tip + 2], point.y[tip + 1] - point.y[tip + 2]) / 2,
		};

		for (let k = i - 1; k >= 0 && shape.kind[k] === TV.POLYLINE && shape.n[k] === 2 && like(k); k--) {
			arrow.from = shape.first[k];
			point.x[arrow.from + 1] = point.x[tip];
			point.y[arrow.from + 1] = point.y[tip];
		}
		arrows.set(i, arrow);
	}
	return arrows;
};

// Begins the path of a head whose tip is a point of the scene, in the direction that its shaft has on the screen. X, Y: pixels of a
// frame; s: pixels of a point.
TV.traceHead = function (context, { point }, { from, length, half }, tip, { X, Y, s }) {
	const at = (k) => [X(point.x[k]), Y(point.y[k])], [x, y] = at(tip), sides = [at(tip + 1), at(tip + 2)];
	const start = from < 0 ? [0, 1].map((c) => (sides[0][c] + sides[1][c]) / 2) : at(from);
	const far = Math.hypot(x - start[0], y - start[1]) || 1, ux = s * (x - start[0]) / far, uy = s * (y - start[1]) / far;

	context.beginPath();
	context.moveTo(x, y);
	context.lineTo(x - length * ux - half * uy, y - length * uy + half * ux);
	context.lineTo(x - length * ux + half * uy, y - length * uy - half * ux);
};

// Begins the path of a line between two points; what of it is not between low and high is cut off, as canvases are exact for near ones alone.
TV.traceLine = function (context, a, b, low, high) {
	const cut = ([x, y], other) => {
		const at = TV.clamp(x, low, high);

		return at === x ? [x, y] : [at, y + (at - x) / (other[0] - x) * (other[1] - y)];
	};

	context.beginPath();
	if (Math.max(a[0], b[0]) < low || Math.min(a[0], b[0]) > high)
		return;
	context.moveTo(...cut(a, b));
	context.lineTo(...cut(b, a));
};
