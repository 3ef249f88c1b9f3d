// SPDX-License-Identifier: GPL-3.0-or-later
// Facets that are beside each other on the page are below each other in a narrow window: all that belongs to one is moved there.
'use strict';

TV.AXIS_MIN = 200; // pixels that each of several time axes needs

TV.Stack = class {
	constructor(scene) {
		const facets = scene.data.header.facets || [], cells = facets.map(() => ({ y0: Infinity, y1: 0, x: NaN, row: 0 }));

		Object.assign(this, { scene, on: false, width: scene.width, height: scene.height, axes: scene.axes });
		for (const part of scene.parts) {
			const cell = this.own(part) ? cells[part.facet] : undefined;

			if (cell !== undefined && part.height > 0)
				Object.assign(cell, { y0: Math.min(cell.y0, part.y), y1: Math.max(cell.y1, part.y + part.height) });
		}
		for (const { facet, timed, x } of scene.frames)
			if (timed)
				cells[facet] && Object.assign(cells[facet], { x, row: facets[facet].row });
		this.cells = cells;
		this.possible = scene.axes.length > 1 && cells.every((cell) => cell.x >= 0 && cell.y1 > 0);
		if (this.possible)
			this.plan();
	}

	// Header and legend are of the whole page.
	own(part) {
		return part.facet >= 0 && part.name !== 'header' && part.name !== 'legend';
	}

	// Where each facet goes: dx, dy.
	plan() {
		const { cells, axes } = this, rows = [], end = Math.max(...cells.map((cell) => cell.y1));
		let y = Math.min(...cells.map((cell) => cell.y0));

		for (const { row, y0, y1 } of cells)
			rows[row] = rows[row] ? { y0: Math.min(rows[row].y0, y0), y1: Math.max(rows[row].y1, y1) } : { y0, y1 };
		for (const cell of cells) {
			const { y0, y1 } = rows[cell.row];

			Object.assign(cell, { dx: axes[0].x - cell.x, dy: y - y0 });
			y += y1 - y0 + TV.LINE;
		}
		this.below = { dx: 0, dy: y - TV.LINE - end };
		this.end = y - TV.LINE;
		this.lent = this.scene.frames.filter((frame) => frame.timed && !this.hasValues(frame)).map((frame) => ({ frame, first: this.first(frame) })).filter(({ first }) => first);
	}

	// Whether something is written at the left of a frame.
	hasValues(frame) {
		return this.valuesOf(frame).next().value !== undefined;
	}

	* valuesOf(frame) {
		const { shape, parts } = this.scene, part = parts[frame.part];

		for (let i = part.first; i < part.first + part.n; i++)
			if (shape.frame[i] === 0 && shape.kind[i] === TV.TEXT && shape.x1[i] <= frame.x)
				yield i;
	}

	// The frame at the left of its row whose names and values are also those of this one.
	first(frame) {
		return this.scene.frames.find((other) => other.timed && other.name === frame.name && Math.abs(other.y - frame.y) < 0.01
			&& other.high === frame.high && other.low === frame.low && other.rows === frame.rows && this.hasValues(other));
	}

	// For a window of that many pixels.
	arrange(width) {
		const { scene, axes } = this, sum = axes.reduce((all, axis) => all + axis.width, 0);
		const on = this.possible && (width - (this.width - sum) * TV.POINT) / axes.length < TV.AXIS_MIN;

		if (on === this.on)
			return;
		const first = scene.parts.find((part) => part.timed && part.facet === 0);

		this.on = on;
		for (const part of scene.parts) {
			const own = this.own(part), { dx, dy } = own ? this.cells[part.facet] : part.facet < 0 ? this.below : { dx: 0, dy: 0 };
			const x = own && !part.timed && part.name !== 'zoom' ? first.x - part.x : dx;

			this.move(part, on ? x : -x, on ? dy : -dy);
		}
		Object.assign(scene, { axes: on ? axes.slice(0, 1) : axes, width: on ? 2 * first.x + first.width : this.width, height: on ? this.height + this.below.dy : this.height });
		scene.stack = on ? this : null;
		for (const { frame, first } of this.lent)
			for (const chart of frame.charts)
				chart.named = on && first.charts.some((other) => other.named);
	}

	move(part, dx, dy) {
		const { shape, point, frames } = this.scene;

		part.y += dy;
		for (const frame of frames)
			if (frame.number > 0 && this.scene.parts[frame.part] === part) {
				frame.x += dx;
				frame.y += dy;
			}
		for (let i = part.first; i < part.first + part.n; i++) {
			const line = shape.kind[i] === TV.POLYLINE || shape.kind[i] === TV.POLYGON;

			if (shape.frame[i] !== 0)
				continue;
			shape.x0[i] += dx;
			shape.x1[i] += dx;
			shape.y0[i] += dy;
			shape.y1[i] += dy;
			for (let k = shape.first[i]; line && k < shape.first[i] + shape.n[i]; k++) {
				point.x[k] += dx;
				point.y[k] += dy;
			}
		}
	}
};
