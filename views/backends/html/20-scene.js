// SPDX-License-Identifier: GPL-3.0-or-later
// The scene: what is drawn, in the coordinates of the page and of its frames. Nothing here depends on zoom.
'use strict';

TV.RECT = 0;
TV.POLYLINE = 1;
TV.POLYGON = 2;
TV.TEXT = 3;
TV.IMAGE = 4;
TV.CHART = 5;

TV.BLOCK = 32; // items whose sums are known together

// Items in rows. Item i (of the chart, from 0) has begin[i], end[i] (ns after the frame's begin), style[i] (2 *
// type + outlier) and row[i] of its table; top[i], bottom[i] are its part of the row's height, if it has one.
TV.Chart = class {
	constructor(data, about, number, frame) {
		const n = about.n, column = (name) => data.column(`row.${name}`);

		Object.assign(this, { number, frame, n, run: about.run, nested: about.nested, mixed: about.mixed });
		this.types = about.types;
		this.tasks = about.tasks;
		this.calls = !about.tasks && about.types.some((type) => type.class === 'call');
		this.style = data.column(`chart${number}.style`);
		this.row = data.column(`chart${number}.row`);
		this.rows = [];
		for (let r = about.row; r < about.row + about.rows; r++)
			this.rows.push({
				y0: column('y0')[r], y1: column('y1')[r], bottom: column('bottom')[r],
				name: TV.visible(data.string(column('name')[r])), type: data.string(column('rtype')[r]),
				node: data.string(column('node')[r]), first: column('first')[r] - about.first,
				n: column('n')[r], lanes: Math.max(column('lanes')[r], 1),
			});
		this.times(data, about);
		if (about.lanes >= 0) {
			this.top = data.column('lane.top').subarray(about.lanes, about.lanes + n);
			this.bottom = data.column('lane.bottom').subarray(about.lanes, about.lanes + n);
		}
		this.sums();
	}

	times(data, about) {
		const own = (name) => data.has(`own.${name}`) ? data.column(`own.${name}`).subarray(about.own, about.own + this.n) : null;

		this.begin = new Float64Array(this.n);
		this.end = new Float64Array(this.n);
		if (this.tasks) {
			const start = data.relative(`run${this.run}.tasks.Start`, this.frame.begin);
			const end = data.relative(`run${this.run}.tasks.End`, this.frame.begin);

			for (let i = 0; i < this.n; i++) {
				this.begin[i] = start[this.row[i]];
				this.end[i] = end[this.row[i]];
			}
			return;
		}
		const begin = data.relative('own.begin', this.frame.begin), length = data.relative('own.length', 0n);

		for (let i = 0; i < this.n; i++) {
			this.begin[i] = begin[about.own + i];
			this.end[i] = this.begin[i] + length[about.own + i];
		}
		this.label = own('label');
		this.under = own('under');
		this.absent = own('absent');
	}

	// until[i]: where the items of its row up to i have ended; sum: time by style in each block of items.
	sums() {
		const nstyles = 2 * this.types.length, { begin, end, style } = this;

		this.nstyles = nstyles;
		this.until = end;
		this.sum = new Float64Array((Math.floor(this.n / TV.BLOCK) + 1) * nstyles);
		for (let i = 0; i < this.n; i++)
			this.sum[Math.floor(i / TV.BLOCK) * nstyles + style[i]] += end[i] - begin[i];
		if (this.rows.every((row) => {
			for (let i = row.first + 1; i < row.first + row.n; i++)
				if (end[i] < end[i - 1])
					return false;
			return true;
		}))
			return;
		this.until = new Float64Array(this.n);
		for (const row of this.rows)
			for (let i = row.first, max = -Infinity; i < row.first + row.n; i++) {
				max = Math.max(max, end[i]);
				this.until[i] = max;
			}
	}

	// The items of a row that touch [from, to]: indices [first, last).
	range(row, from, to) {
		const end = row.first + row.n;

		return [TV.after(this.until, from, row.first, end), TV.after(this.begin, to, row.first, end)];
	}

	// The item of row r at a time and height (0 top, 1 bottom) of the row; tolerance in ns. -1: none.
	at(r, time, height, tolerance) {
		const row = this.rows[r], [first, last] = this.range(row, time - tolerance, time + tolerance);
		let best = -1, distance = Infinity;

		for (let i = first; i < last; i++) {
			if (this.end[i] < time - tolerance || (this.top && (height < this.top[i] || height > this.bottom[i])))
				continue;
			const d = Math.max(this.begin[i] - time, time - this.end[i], 0);

			// The last of equals is on top.
			if (d <= distance) {
				distance = d;
				best = i;
			}
		}
		return best;
	}

	// Keeps only the items whose row passes a test; null: all.
	filter(test) {
		const arrays = ['style', 'row', 'begin', 'end', 'top', 'bottom', 'label', 'under', 'absent'].filter((name) => this[name]);

		this.all = this.all || { n: this.n, rows: this.rows.map(({ first, n }) => ({ first, n })), arrays: arrays.map((name) => this[name]) };
		const kept = new Uint32Array(this.all.n), rowOf = this.all.arrays[arrays.indexOf('row')];
		let n = 0;

		this.all.rows.forEach(({ first, n: items }, r) => {
			this.rows[r].first = n;
			for (let i = first; i < first + items; i++)
				if (test === null || test(rowOf[i]))
					kept[n++] = i;
			this.rows[r].n = n - this.rows[r].first;
		});
		this.n = n;
		arrays.forEach((name, a) => {
			const from = this.all.arrays[a], to = new from.constructor(n);

			for (let i = 0; i < n; i++)
				to[i] = from[kept[i]];
			this[name] = to;
		});
		this.inverse = undefined;
		this.sums();
	}

	// Which item shows a row of its table, and in which row of the chart it is.
	itemOf(tableRow) {
		if (this.inverse === undefined) {
			let max = 0;

			for (let i = 0; i < this.n; i++)
				max = Math.max(max, this.row[i] + 1);
			this.inverse = new Int32Array(max).fill(-1);
			this.rowOf = new Uint32Array(this.n);
			for (let i = 0; i < this.n; i++)
				this.inverse[this.row[i]] = i;
			this.rows.forEach((row, r) => this.rowOf.fill(r, row.first, row.first + row.n));
		}
		return tableRow < this.inverse.length ? this.inverse[tableRow] : -1;
	}
};

TV.Scene = class {
	constructor(data) {
		const about = data.header.scene;

		Object.assign(this, { data, width: about.width, height: about.height, parts: about.parts, stack: null });
		this.styles = about.styles.map((style) => ({ fill: -1, stroke: -1, width: 0.4, dash: [], align: 0, ...style }));
		this.frames = about.frames.map((frame, i) => {
			const part = about.parts[frame.part];

			return { ...frame, number: i, begin: BigInt(frame.begin), timed: i > 0 && part.timed, charts: [], facet: part.facet, offset: 0 };
		});
		// What was before the run has a frame left of the panel's: it is shown as it is, whatever the window.
		for (const frame of this.frames)
			frame.setup = frame.timed && this.frames.some((other) => other.timed && other.part === frame.part && Math.abs(other.y - frame.y) < 0.01 && other.x > frame.x);
		for (const frame of this.frames)
			frame.timed = frame.timed && !frame.setup;
		this.timing();
		this.shape = {};
		for (const name of ['kind', 'frame', 'style', 'x0', 'y0', 'x1', 'y1', 'row', 'label', 'first', 'n'])
			this.shape[name] = data.column(`shape.${name}`);
		this.point = { x: data.column('point.x'), y: data.column('point.y') };
		this.bounds = [];
		for (const part of this.parts)
			if (part.timed)
				this.intoFrames(part);
		this.nameBounds();
		this.arrows = TV.findArrows(this);
		this.charts = about.charts.map((chart, i) =>
			new TV.Chart(data, { ...chart, run: this.runOf(chart.facet || 0) }, i, this.frames[chart.frame]));
		for (const chart of this.charts) {
			// Rows of MPI calls are a chart of their own among those of the tasks.
			chart.frame.charts.push(chart);
			if (!chart.frame.chart || (chart.tasks && !chart.frame.chart.tasks))
				chart.frame.chart = chart;
			chart.named = this.hasNames(this.parts[chart.frame.part], chart.frame);
			chart.accents = this.accents(this.parts[chart.frame.part], chart.frame);
			chart.labelled = this.shape.kind.some((kind, i) => kind === TV.TEXT && this.shape.frame[i] === chart.frame.number);
		}
		this.images = this.findImages();
		this.types = this.allTypes();
	}

	runOf(facet) {
		const facets = this.data.header.facets || [];

		return facet < facets.length ? facets[facet].run : 0;
	}

	// Columns of frames that share their time axis, and times ns after a common base.
	timing() {
		const timed = this.frames.filter((frame) => frame.timed);

		this.base = timed.reduce((min, frame) => frame.begin < min ? frame.begin : min, timed.length ? timed[0].begin : 0n);
		for (const frame of timed)
			frame.offset = Number(frame.begin - this.base);
		this.begin = timed.length ? Math.min(...timed.map((frame) => frame.offset)) : 0;
		this.end = timed.length ? Math.max(...timed.map((frame) => frame.offset + frame.duration)) : 1;
		this.axes = [];
		for (const { x, width } of timed)
			if (!this.axes.some((axis) => Math.abs(axis.x - x) < 0.01))
				this.axes.push({ x, width });
		this.axes.sort((a, b) => a.x - b.x);
	}

	// Lines and boxes that the page has over a timed frame (grid, borders, bounds) move with it.
	intoFrames(part) {
		const { shape, point, styles } = this, slack = 0.7;

		for (let i = part.first; i < part.first + part.n; i++) {
			if (shape.frame[i] !== 0 || shape.kind[i] === TV.TEXT)
				continue;
			const box = this.box(i), middle = (box[1] + box[3]) / 2;
			const frame = this.frames.find((f) => f.timed && this.parts[f.part].facet === part.facet && box[0] >= f.x - slack
				&& box[2] <= f.x + f.width + slack && middle >= f.y - slack && middle <= f.y + f.height + slack);

			if (frame === undefined)
				continue;
			const X = (x) => (Math.abs(x - frame.x) < slack ? 0 : Math.abs(x - frame.x - frame.width) < slack ? 1 : (x - frame.x) / frame.width) * frame.duration;
			const exactX = (x) => (x - frame.x) / frame.width * frame.duration;
			const wide = box[2] - box[0] > frame.width - 2 * slack, Y = (y) => (y - frame.y) / frame.height * frame.rows;

			shape.frame[i] = frame.number;
			if (styles[shape.style[i]].class === 'bound' && box[2] - box[0] < 0.01
			    && !this.bounds.some((bound) => bound.frame === frame && Math.abs(bound.x - box[0]) < 0.01))
				this.bounds.push({ frame, x: box[0], time: exactX(box[0]), text: '' });
			for (const x of [shape.x0, shape.x1])
				x[i] = wide ? X(x[i]) : exactX(x[i]);
			for (const y of [shape.y0, shape.y1])
				y[i] = Y(y[i]);
			if (shape.kind[i] === TV.RECT || shape.kind[i] === TV.IMAGE)
				continue;
			for (let k = shape.first[i]; k < shape.first[i] + shape.n[i]; k++) {
				point.x[k] = wide ? X(point.x[k]) : exactX(point.x[k]);
				point.y[k] = Y(point.y[k]);
			}
		}
	}

	// Names of bounds are above their lines in the same order.
	nameBounds() {
		const { shape, styles } = this;

		for (const part of this.parts) {
			const names = [], lines = this.bounds.filter((bound) => this.parts[bound.frame.part] === part).sort((a, b) => a.x - b.x);

			for (let i = part.first; i < part.first + part.n; i++)
				if (shape.kind[i] === TV.TEXT && styles[shape.style[i]].class === 'bound-name')
					names.push({ x: (shape.x0[i] + shape.x1[i]) / 2, text: this.data.string(shape.first[i]) });
			names.sort((a, b) => a.x - b.x);
			if (names.length === lines.length)
				lines.forEach((line, k) => {
					line.text = names[k].text;
				});
		}
	}

	// Titles with their keys: {first, the left end, bottom, the middle of the last line, entries from left to right and down: {x0, x1, y, shapes}}.
	strips() {
		const { shape, styles, parts } = this, strips = [];
		let strip = null, entry = null;

		for (let i = 0; i < shape.kind.length; i++) {
			const { group } = styles[shape.style[i]];

			if (shape.frame[i] !== 0 || (group !== 'titles' && group !== 'keys'))
				continue;
			const [x0, y0, x1, y1] = this.box(i), y = (y0 + y1) / 2, last = strip && strip.entries[strip.entries.length - 1];

			// The swatches of an entry come before its text; lines follow each other closely. A title may go on a line of its part.
			const goesOn = strip !== null && Math.abs(y - last.y) < 2 && x0 > last.x1 && parts.some((part) => i < part.first + part.n && last.shapes[0] >= part.first);

			if ((group === 'titles' && !goesOn) || strip === null || y < last.y - 2 || y > last.y + TV.LINE + 2 || (y < last.y + 2 && x0 < last.x0)) {
				strip = { first: x0, bottom: y, entries: [] };
				strips.push(strip);
				entry = null;
			}
			if (entry === null) {
				entry = { x0, x1, y, shapes: [] };
				strip.entries.push(entry);
				strip.bottom = Math.max(strip.bottom, y);
			}
			entry.x1 = Math.max(entry.x1, x1);
			entry.shapes.push(i);
			if (shape.kind[i] === TV.TEXT)
				entry = null;
		}
		return strips;
	}

	// Corners of a shape of the page.
	box(i) {
		const { shape, point } = this;

		if (shape.kind[i] !== TV.POLYLINE && shape.kind[i] !== TV.POLYGON)
			return [shape.x0[i], shape.y0[i], shape.x1[i], shape.y1[i]];
		const box = [Infinity, Infinity, -Infinity, -Infinity];

		for (let k = shape.first[i]; k < shape.first[i] + shape.n[i]; k++) {
			box[0] = Math.min(box[0], point.x[k]);
			box[1] = Math.min(box[1], point.y[k]);
			box[2] = Math.max(box[2], point.x[k]);
			box[3] = Math.max(box[3], point.y[k]);
		}
		return box;
	}

	hasNames(part, frame) {
		const { shape, styles } = this;

		for (let i = part.first; i < part.first + part.n; i++)
			if (shape.kind[i] === TV.TEXT && styles[shape.style[i]].class === 'name' && shape.x0[i] < frame.x)
				return true;
		return false;
	}

	// How far bars that mark names reach to the left of a frame, points.
	accents(part, frame) {
		const { shape, styles } = this;
		let far = 0;

		for (let i = part.first; i < part.first + part.n; i++)
			if (shape.frame[i] === 0 && styles[shape.style[i]].class === 'accent' && shape.x0[i] < frame.x)
				far = Math.max(far, frame.x - shape.x0[i]);
		return far;
	}

	findImages() {
		const width = this.data.column('image.width'), height = this.data.column('image.height'), images = [];

		for (let i = 0, first = 0; width !== null && i < width.length; i++) {
			images.push({ width: width[i], height: height[i], first, canvas: null });
			first += width[i] * height[i];
		}
		return images;
	}

	// Types of all charts in order of their legend: {name, color, faded, count}.
	allTypes() {
		const types = new Map();

		for (const chart of this.charts) {
			chart.type = chart.types.map((type) => {
				if (!types.has(type.name))
					types.set(type.name, { ...type, count: null });
				return types.get(type.name);
			});
		}
		for (const type of types.values())
			type.charts = this.charts.filter((chart) => chart.type.includes(type));
		// Counted in the first chart of each run that has them.
		const counted = new Set();

		for (const chart of [...this.charts].sort((a, b) => a.frame.setup - b.frame.setup)) {
			const count = new Uint32Array(chart.types.length), key = (type) => `${chart.run} ${type.name}`;

			for (let i = 0; i < chart.n; i++)
				count[chart.style[i] >> 1]++;
			chart.type.forEach((type, t) => {
				if (!counted.has(key(type)))
					type.count = (type.count || 0) + count[t];
			});
			chart.type.forEach((type) => counted.add(key(type)));
		}
		return [...types.values()];
	}

	// A picture of the scene as a canvas of its pixels.
	image(i) {
		const image = this.images[i];

		if (image.canvas === null) {
			const pixel = this.data.column('image.pixel').subarray(image.first), pixels = new ImageData(image.width, image.height);
			const out = new Uint32Array(pixels.data.buffer);

			for (let k = 0; k < out.length; k++)
				out[k] = TV.pixel(TV.colors.of(pixel[k]));
			image.canvas = TV.el('canvas', { width: image.width, height: image.height });
			image.canvas.getContext('2d').putImageData(pixels, 0, 0);
		}
		return image.canvas;
	}
};

// 0xRRGGBB as a pixel of an ImageData.
TV.pixel = (rgb) => 0xff000000 | (rgb & 0xff) << 16 | (rgb & 0xff00) | rgb >> 16 & 0xff;
