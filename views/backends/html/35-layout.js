// SPDX-License-Identifier: GPL-3.0-or-later
// Where the page's parts are in the window. Text keeps its size; time axes get the width that is left, and charts
// of rows the height. The page is divided into bands, one for each row of timed frames, which can be as high as
// they need, and what is between them.
'use strict';

TV.skipped = new Set(['legend', 'axis']); // parts of the page that are not drawn
TV.POINT = 1.55; // pixels of the window per point of the page
TV.LINE = 9.2; // points, of titles and keys

// Rows of a frame to lines of its height: collapsed groups of rows take less of it.
TV.RowMap = class {
	constructor(rows) {
		this.from = [0, rows];
		this.to = [0, rows];
	}

	// groups: [{y0, y1, height}] in ascending order, not overlapping.
	static collapsed(rows, groups) {
		const map = new TV.RowMap(rows);

		map.from = [0];
		map.to = [0];
		for (const group of groups) {
			map.add(group.y0, map.last() + group.y0 - map.from[map.from.length - 1]);
			map.add(group.y1, map.last() + group.height);
		}
		map.add(rows, map.last() + rows - map.from[map.from.length - 1]);
		return map;
	}

	add(from, to) {
		if (from > this.from[this.from.length - 1]) {
			this.from.push(from);
			this.to.push(to);
		}
	}

	last() {
		return this.to[this.to.length - 1];
	}

	static at(x, from, to) {
		let k = 1;

		while (k + 1 < from.length && from[k] < x)
			k++;
		return to[k - 1] + (x - from[k - 1]) / (from[k] - from[k - 1]) * (to[k] - to[k - 1]);
	}

	line(row) {
		return this.from.length === 2 ? row : TV.RowMap.at(row, this.from, this.to);
	}

	row(line) {
		return this.from.length === 2 ? line : TV.RowMap.at(line, this.to, this.from);
	}
};

TV.Layout = class {
	// width, height of the window, pixels. Of the view: groups of rows that are collapsed, shares of the lines that
	// are shown of a frame, names of panels that are closed.
	constructor(scene, width, height, { collapsed, rows, panels }) {
		const s = TV.POINT;

		Object.assign(this, { scene, s, width, collapsed, rows, panels });
		const sum = scene.axes.reduce((all, axis) => all + axis.width, 0), stretch = Math.max((width - scene.width * s) / (sum || 1), -0.7 * s);

		this.columns = scene.axes.map((axis) => ({ x: axis.x, end: axis.x + axis.width, stretch: stretch * axis.width }));
		// The viewer has a legend and an axis of its own: the page's take no room.
		this.empty = scene.parts.filter((part, i) => TV.skipped.has(part.name)
			&& scene.parts.findIndex((other) => other.name === part.name && Math.abs(other.y - part.y) < 0.01) === i);
		this.free = Math.min(width / ((scene.stack || scene).width * s), 1); // what has no time axis is made smaller, not cut
		this.moved = this.wrapKeys();
		this.bands = this.makeBands(height);
		this.frames = scene.frames.map((frame) => this.place(frame));
	}

	// Bands from top to bottom. Charts of rows get what is left of the window's height.
	makeBands(height) {
		const { scene, s } = this, bands = [];

		for (const frame of scene.frames) {
			if (!frame.timed)
				continue;
			const band = bands.find((b) => frame.y < b.y1 - 0.01 && frame.y + frame.height > b.y0 + 0.01);

			if (band === undefined) {
				bands.push({ y0: frame.y, y1: frame.y + frame.height, frames: [frame] });
			} else {
				band.frames.push(frame);
				band.y0 = Math.min(band.y0, frame.y);
				band.y1 = Math.max(band.y1, frame.y + frame.height);
			}
		}
		bands.sort((a, b) => a.y0 - b.y0);
		for (const band of bands)
			band.closed = band.frames.every((frame) => this.panels.has(frame.name));
		const first = bands.filter((band) => !band.closed && band.frames.some((frame) => frame.chart && frame.chart.rows.some((row) => row.type !== '')));
		const timed = bands.length ? bands[bands.length - 1].y1 : 0, closed = bands.reduce((all, band) => all + (band.closed ? band.y1 - band.y0 : 0), 0);
		const room = height - (timed - closed - this.squeezed(timed)) * s - 12;
		const sum = first.reduce((all, band) => all + band.y1 - band.y0, 0);
		let add = 0;

		for (const band of bands) {
			let pixels = (band.y1 - band.y0) * s;

			if (room > 0 && first.includes(band))
				pixels += room * (band.y1 - band.y0) / sum;
			pixels = band.closed ? 0 : Math.round(pixels);
			band.top = Math.round((band.y0 - this.squeezed(band.y0)) * s + add);
			band.height = pixels;
			add = band.top + pixels - (band.y1 - this.squeezed(band.y1)) * s;
			band.add = add;
		}
		this.add = add;
		this.timedEnd = scene.stack ? scene.stack.end : timed;
		this.height = Math.ceil(this.below(scene.height));
		return bands;
	}

	// Titles with their keys, from left to right in lines; if they do not fit the axis and what is right of it, in more lines, for
	// which room is made above. Returns the place of the shapes of these strips.
	wrapKeys() {
		const { s } = this, moved = new Map(), grown = new Map(), timed = Math.max(...this.scene.frames.map((frame) => frame.timed ? frame.y + frame.height : 0));

		for (const { entries, first, bottom } of this.scene.strips()) {
			const column = this.columns.find((one) => first >= one.x - 1 && first < one.end);

			if (column === undefined || bottom > timed)
				continue;
			const left = this.x(first), end = this.headerEnd(first), lineOf = (entry) => Math.round((bottom - entry.y) / TV.LINE);
			const before = lineOf(entries[0]) + 1, fits = entries.every((entry) => left + (entry.x1 - first) * s <= end);
			let x = left, line = 0;

			for (const entry of entries) {
				const wide = (entry.x1 - entry.x0) * s, gap = x > left ? 9 * s : 0, wraps = x > left && x + gap + wide > end;

				line = fits ? before - 1 - lineOf(entry) : line + wraps;
				entry.to = fits ? left + (entry.x0 - first) * s : wraps ? left : x + gap;
				entry.line = line;
				x = entry.to + wide;
			}
			for (const entry of entries)
				for (const i of entry.shapes)
					moved.set(i, { x0: entry.x0, to: entry.to, from: bottom - lineOf(entry) * TV.LINE, bottom, up: (line - entry.line) * TV.LINE * s, end });
			const key = Math.round(bottom), room = grown.get(key) || { y: Infinity, height: 0 };

			// Facets beside each other end at the same height.
			grown.set(key, { y: Math.min(room.y, bottom - (before - 0.5) * TV.LINE), height: Math.max(room.height, (line + 1 - before) * TV.LINE) });
		}
		this.empty = [...this.empty, ...[...grown.values()].map(({ y, height }) => ({ y: y - 1e-6, height: 1e-6, room: height }))];
		return moved;
	}

	// Whether x of the page is behind a column's end, and how far things there have moved.
	// spread: what is inside a column is stretched with it.
	x(x, timed = true, spread = false) {
		let add = 0;

		if (!timed)
			return x * this.s * this.free;
		for (const column of this.columns)
			if (x >= column.end - 0.01)
				add += column.stretch;
			else if (spread && x > column.x)
				add += column.stretch * (x - column.x) / (column.end - column.x);
		return x * this.s + add;
	}

	// A panel without a time axis between those that have one: it keeps its size.
	isLoose(part) {
		return this.scene.stack !== null && !part.timed && part.facet >= 0 && part.name !== 'zoom';
	}

	// Until where a header that begins there can go: to the header of the next facet, or to the edge.
	headerEnd(x) {
		const k = this.columns.findIndex((column) => column.end > x), next = this.columns[k + 1];

		return next === undefined ? this.width - 2 : this.x(this.columns[k].end) + 0.4 * (next.x - this.columns[k].end) * this.s;
	}

	// Points that are left out above y, less the room made there.
	squeezed(y) {
		return this.empty.reduce((all, part) => all + TV.clamp(y - part.y, 0, part.height) - (part.room && y > part.y ? part.room : 0), 0);
	}

	// y below the bands.
	below(y) {
		const end = Math.min(y, this.timedEnd);

		return (end - this.squeezed(end)) * this.s + this.add + (y - end - this.squeezed(y) + this.squeezed(end)) * this.s * this.free;
	}

	bandOf(y) {
		return this.bands.find((band) => y >= band.y0 - 0.01 && y <= band.y1 + 0.01);
	}

	// y of the page, outside frames or by proportion inside them.
	y(y) {
		let add = 0;

		for (const band of this.bands) {
			if (y < band.y0)
				break;
			if (y <= band.y1)
				return band.top + (y - band.y0) / (band.y1 - band.y0) * band.height;
			add = band.add;
		}
		return y > this.timedEnd ? this.below(y) : (y - this.squeezed(y)) * this.s + add;
	}

	place(frame) {
		// A magnified window is as wide as the axes that it is between.
		const wide = frame.timed || (frame.number > 0 && frame.y < this.timedEnd), loose = this.isLoose(this.scene.parts[frame.part]);
		const [left, right] = [frame.x, frame.x + frame.width].map((x) => Math.round(loose ? x * this.s : this.x(x, wide)));
		const top = Math.round(this.y(frame.y)), bottom = Math.round(this.y(frame.y + frame.height));
		const groups = frame.chart ? this.groups(frame.chart) : [];
		const closed = groups.filter((group) => group.closed), map = TV.RowMap.collapsed(frame.rows, closed);
		const [from, to] = this.rows.get(frame.number) || [0, 1];

		return {
			frame, left, top, width: Math.max(right - left, 1), height: bottom - top, map, groups,
			line0: from * map.last(), line1: to * map.last(),
		};
	}

	// Groups of successive rows of one node and resource type, and of one node.
	groups(chart) {
		const groups = [], rows = chart.rows, nodes = new Set(rows.map((row) => row.node));

		for (let r = 0; r < rows.length;) {
			const row = rows[r];
			let end = r + 1;

			while (end < rows.length && rows[end].type === row.type && rows[end].node === row.node)
				end++;
			if (row.type !== '' && end - r > 1) {
				const key = nodes.size > 1 ? `${row.node}/${row.type}` : row.type;
				const closed = this.collapsed.has(key), y0 = rows[r].y0, y1 = rows[end - 1].bottom;

				groups.push({ key, from: r, to: end, y0, y1, closed, height: Math.min(y1 - y0, Math.max(2 * (y1 - y0) / (end - r), chart.frame.rows / 14)) });
			}
			r = end;
		}
		return groups;
	}

	// Pixels of a frame's row coordinate, and back.
	rowY(place, row) {
		return place.top + (place.map.line(row) - place.line0) / (place.line1 - place.line0) * place.height;
	}

	yRow(place, y) {
		return place.map.row(place.line0 + (y - place.top) / place.height * (place.line1 - place.line0));
	}

	// The frame at a point; timed ones alone.
	at(x, y, slack = 0) {
		return this.frames.find((place) => place.frame.timed && x >= place.left - slack && x <= place.left + place.width + slack
			&& y >= place.top && y < place.top + place.height) || null;
	}
};

// Ticks of a time axis: {at: [ns], text: [...], unit, base}. Times are ns after the scene's base.
TV.ticks = function (begin, end, width, want = Math.max(width / 110, 1)) {
	const raw = (end - begin) / want, power = 10 ** Math.floor(Math.log10(raw));
	const step = Math.max(power * [1, 2, 5, 10].find((f) => f * power >= raw), 1);
	const [unit, size] = [['s', 1e9], ['ms', 1e6], ['µs', 1e3], ['ns', 1]].find(([, l]) => (end - begin) >= 0.8 * l) || ['ns', 1];
	const digits = Math.max(0, Math.ceil(Math.log10(size / step) - 1e-9));
	const origin = Number(TV.scene.base), from = Math.ceil((begin + origin) / step), at = [], text = [];

	for (let k = from; k * step - origin <= end; k++) {
		at.push(k * step - origin);
		text.push((k * step / size).toFixed(digits));
	}
	// One tick is no axis.
	return at.length < 2 && step > 1 && want < 16 ? TV.ticks(begin, end, width, 2 * want) : { at, text, unit, step };
};
