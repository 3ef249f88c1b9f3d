// SPDX-License-Identifier: GPL-3.0-or-later
// Where the page's parts are in the window. Text keeps its size; time axes get the width that is left, and charts
// of rows the height. The page is divided into bands, one for each row of timed frames, which can be as high as
// they need, and what is between them.
'use strict';

TV.skipped = new Set(['legend', 'axis']); // parts of the page that are not drawn
TV.POINT = 1.55; // pixels of the window per point of the page

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
		this.columns = scene.axes.map((axis) => ({ x: axis.x, end: axis.x + axis.width }));
		const n = Math.max(this.columns.length, 1);

		this.stretch = Math.max((width - scene.width * s) / n, -0.7 * s * (scene.axes.length ? scene.axes[0].width : 0));
		// The viewer has a legend and an axis of its own: the page's take no room.
		this.empty = scene.parts.filter((part, i) => TV.skipped.has(part.name)
			&& scene.parts.findIndex((other) => other.name === part.name && Math.abs(other.y - part.y) < 0.01) === i);
		this.bands = this.makeBands(height);
		this.timedEnd = this.bands.length ? this.bands[this.bands.length - 1].y1 : 0;
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
		this.height = Math.ceil((scene.height - this.squeezed(scene.height)) * s + add);
		return bands;
	}

	// Whether x of the page is behind a column's end, and how far things there have moved.
	// spread: what is inside a column is stretched with it.
	x(x, timed = true, spread = false) {
		let add = 0;

		if (timed)
			for (const column of this.columns)
				if (x >= column.end - 0.01)
					add += this.stretch;
				else if (spread && x > column.x)
					add += this.stretch * (x - column.x) / (column.end - column.x);
		return x * this.s + add;
	}

	// Points that are left out above y.
	squeezed(y) {
		return this.empty.reduce((all, part) => all + TV.clamp(y - part.y, 0, part.height), 0);
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
		return (y - this.squeezed(y)) * this.s + add;
	}

	place(frame) {
		// A magnified window is as wide as the axes that it is between.
		const wide = frame.timed || (frame.number > 0 && frame.y < this.timedEnd);
		const left = Math.round(this.x(frame.x, wide)), right = Math.round(this.x(frame.x + frame.width, wide));
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
