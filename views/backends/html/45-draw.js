// SPDX-License-Identifier: GPL-3.0-or-later
// Draws what is seen on a canvas as large as the window: shapes in the order of the scene.
'use strict';

TV.FONT = '"Liberation Sans", Arimo, Arial, Helvetica, sans-serif';
// The font of the figure, which the file has, first; it has to be loaded before a canvas can use it.
TV.loadFont = async function (family) {
	const name = `"${family.replace(/["\\\n]/g, '')}"`;

	TV.FONT = `${name}, ${TV.FONT}`;
	await Promise.all(['', 'bold '].map((weight) => document.fonts.load(`${weight}12px ${name}`))).catch(() => {});
};
TV.DESCENT = 0.21; // of the size of text, below its baseline

TV.Draw = class {
	constructor(scene, view) {
		Object.assign(this, { scene, view, painter: new TV.Painter(), buffers: new Map(), written: new TV.Written() });
		this.runs = this.split();
		// Parts with an axis of their own.
		this.magnified = new Set(scene.frames.filter((frame) => frame.number > 0 && !frame.timed && !frame.setup).map((frame) => scene.parts[frame.part]));
	}

	// The shapes of each part, as stretches of one frame: [part, frame, first, end].
	split() {
		const { shape, parts } = this.scene, stretches = [];

		parts.forEach((part, p) => {
			for (let i = part.first; i < part.first + part.n;) {
				const frame = shape.frame[i];
				let end = i + 1;

				while (end < part.first + part.n && shape.frame[end] === frame)
					end++;
				stretches.push({ part, number: p, frame, first: i, end });
				i = end;
			}
		});
		return stretches;
	}

	// top: what of the page is at the top of the canvas; width, height in pixels of the window; ratio: pixels of
	// the device in one.
	all(context, layout, top, width, height, ratio) {
		Object.assign(this, { context, layout, top, ratio });
		if (!this.still)
			this.written.all = [];
		context.setTransform(ratio, 0, 0, ratio, 0, 0);
		context.fillStyle = TV.colors.css(0xffffff);
		context.fillRect(0, 0, width, height);
		this.ticks = layout.columns.map((column) => TV.ticks(this.view.begin, this.view.end, layout.x(column.end) - layout.x(column.x)));
		this.bottom = top + height;
		for (const place of layout.frames)
			if (place.frame.timed && this.seen(place.top, place.top + place.height))
				this.grid(place);
		context.setTransform(ratio, 0, 0, ratio, 0, -top * ratio);
		for (const run of this.runs) {
			if (TV.skipped.has(run.part.name))
				continue;
			if (run.frame === 0) {
				for (let i = run.first; i < run.end; i++)
					this.pageShape(i, run.part);
				continue;
			}
			const place = layout.frames[run.frame];

			if (place.height < 2 || !this.seen(place.top - 1, place.top + place.height + 1))
				continue;
			context.save();
			context.beginPath();
			context.rect(place.left - 0.5, place.top - 0.5, place.width + 1, place.height + 1);
			context.clip();
			this.window(place);
			for (let i = run.first; i < run.end; i++)
				this.frameShape(i, place);
			context.restore();
		}
		for (const { frame, first } of this.scene.stack ? this.scene.stack.lent : [])
			for (const i of this.scene.stack.valuesOf(first))
				this.pageShape(i, this.scene.parts[frame.part], frame.y - first.y);
		for (const place of layout.frames)
			if (place.frame.timed) {
				this.panelToggle(place);
				for (const chart of place.height > 1 && this.seen(place.top, place.top + place.height) ? place.frame.charts : [])
					this.names(place, chart);
			}
		this.boundNames();
	}

	// A triangle beside the title of a panel closes and opens it.
	panelToggle(place) {
		const first = this.layout.columns[0];

		place.panel = null;
		if (first === undefined || Math.abs(place.frame.x - first.x) > 0.01)
			return;
		place.panel = { x: place.left - 9, y: place.top - 5 - 2.2 * this.layout.s };
		this.triangle(place.panel.x, place.panel.y, place.height < 2);
	}

	triangle(x, y, closed) {
		const { context } = this;

		if (this.still)
			return;

		context.fillStyle = TV.colors.css(0x8a8a8a);
		context.beginPath();
		if (closed) {
			context.moveTo(x - 2.5, y - 4);
			context.lineTo(x + 2.5, y);
			context.lineTo(x - 2.5, y + 4);
		} else {
			context.moveTo(x - 4, y - 2.5);
			context.lineTo(x + 4, y - 2.5);
			context.lineTo(x, y + 2.5);
		}
		context.fill();
	}

	// Names of bounds above their lines, from left to right, where there is room.
	boundNames() {
		const { context, layout, scene } = this, size = 6.6 * layout.s, free = new Map();

		context.font = `${size}px ${TV.FONT}`;
		context.textAlign = 'center';
		context.textBaseline = 'alphabetic';
		context.fillStyle = TV.colors.css(0x1a1a1a);
		for (const bound of [...scene.bounds].reverse()) {
			if (layout.frames[bound.frame.number].height < 2)
				continue;
			const place = layout.frames[bound.frame.number], half = context.measureText(bound.text).width / 2;
			const x = place.left + (bound.time + bound.frame.offset - this.view.begin) / (this.view.end - this.view.begin) * place.width;

			if (x < place.left - 1 || x > place.left + place.width + 1)
				continue;
			const at = Math.min(Math.max(x, place.left + half - 3), free.has(place) ? free.get(place) - half - 8 : place.left + place.width - half);

			this.write(bound.text, at, place.top - 4, size, Infinity);
			free.set(place, at - half);
		}
	}

	// Writes a text beside the frames, and remembers where.
	write(text, x, y, size, room) {
		this.context.fillText(text, x, y, Number.isFinite(room) ? room : undefined);
		if (!this.still)
			this.written.add(this.context, { text, x, y, size, room });
	}

	seen(y0, y1) {
		return y1 >= this.top && y0 <= this.bottom;
	}

	// The window of a frame in ns after its begin; of an untimed frame, all of it.
	window(place) {
		const { frame } = place;

		this.timed = frame.timed;
		this.t0 = frame.timed ? this.view.begin - frame.offset : 0;
		this.t1 = frame.timed ? this.view.end - frame.offset : frame.duration;
		this.perTime = place.width / (this.t1 - this.t0);
	}

	grid(place) {
		const { context } = this, ticks = this.ticks[this.layout.columns.findIndex((column) => Math.abs(column.x - place.frame.x) < 0.01)];

		if (ticks === undefined)
			return;
		this.context.fillStyle = TV.colors.css(0xededed);
		for (const tick of ticks.at) {
			const x = Math.round(place.left + (tick - this.view.begin) / (this.view.end - this.view.begin) * place.width);

			context.fillRect(x, place.top - this.top, 1, place.height);
		}
	}

	pen(style) {
		const { context } = this;

		if (style.stroke >= 0) {
			context.strokeStyle = TV.colors.css(style.stroke);
			context.lineWidth = Math.max(style.width * this.layout.s * 0.75, 0.8);
			context.setLineDash(style.dash.map((d) => d * this.layout.s));
		}
		if (style.fill >= 0)
			context.fillStyle = TV.colors.css(style.fill);
	}

	// lift: how much lower than on its page, points, a text is drawn.
	pageShape(i, part, lift = 0) {
		const { shape, styles, data } = this.scene, { layout, context } = this, style = styles[shape.style[i]], timed = part.y < layout.timedEnd;

		const moved = layout.moved.get(i), size = layout.s * (timed ? 1 : layout.free);
		const X = (x) => moved ? moved.to + (x - moved.x0) * layout.s : layout.isLoose(part) ? x * layout.s : layout.x(x, timed, timed && style.class !== 'title' && this.magnified.has(part));
		const Y = (y) => moved ? layout.y(moved.bottom) + (y - moved.from) * layout.s - moved.up : layout.y(y);

		// Bounds are named where their lines are now.
		if (style.group === 'bounds' || this.besideMovedRows(i))
			return;
		switch (shape.kind[i]) {
		case TV.TEXT: {
			const x = style.align === 0 ? X(shape.x0[i]) : style.align === 2 ? X(shape.x1[i]) : (X(shape.x0[i]) + X(shape.x1[i])) / 2;
			const middle = (shape.y0[i] + shape.y1[i]) / 2, y = moved ? Y(middle) : this.textY(i, middle + lift, style, x);

			if (y === null || !this.seen(y - 20, y + 20))
				return;
			this.pen(style);
			context.font = `${style.bold ? 'bold ' : ''}${style.width * size}px ${TV.FONT}`;
			context.textAlign = ['left', 'center', 'right'][style.align];
			context.textBaseline = 'alphabetic';
			// Where the reader's font is wider than the one of the layout, it is narrowed: no text lies over the next one. So are
			// titles and headers where the figure is, and shortened.
			const room = 1.001 * (shape.x1[i] - shape.x0[i]) * size, end = moved ? moved.end : timed && style.group === 'header' ? layout.headerEnd(shape.x0[i]) : Infinity;
			const text = data.string(shape.first[i]);

			this.write(room <= end - x ? text : TV.shorten(context, text, (end - x) / 0.7), x, y + (shape.y1[i] - middle - style.width * TV.DESCENT) * size,
				style.width * size, Math.max(1, Math.min(room, end - x)));
			return;
		}
		case TV.RECT: {
			const x0 = X(shape.x0[i]), x1 = X(shape.x1[i]), y0 = Y(shape.y0[i]), y1 = Y(shape.y1[i]);

			if (!this.seen(y0, y1))
				return;
			this.pen(style);
			if (style.fill >= 0)
				context.fillRect(x0, y0, x1 - x0, y1 - y0);
			if (style.stroke >= 0)
				context.strokeRect(x0, y0, x1 - x0, y1 - y0);
			return;
		}
		case TV.IMAGE:
			this.image(shape.first[i], X(shape.x0[i]), Y(shape.y0[i]), X(shape.x1[i]), Y(shape.y1[i]));
			return;
		default: {
			const { point } = this.scene;

			context.beginPath();
			for (let k = shape.first[i]; k < shape.first[i] + shape.n[i]; k++)
				context.lineTo(X(point.x[k]), Y(point.y[k]));
			this.finish(shape.kind[i], style);
		}
		}
	}

	// Brackets and the like beside rows are right only where all rows are seen as on the page.
	besideMovedRows(i) {
		const { scene, layout } = this;

		if (scene.shape.kind[i] === TV.TEXT)
			return false;
		const box = scene.box(i), band = layout.bandOf((box[1] + box[3]) / 2);

		return band !== undefined && band.frames.some((frame) => {
			const place = layout.frames[frame.number];

			return place.height < 2 || layout.rows.has(frame.number) || place.groups.some((group) => group.closed);
		});
	}

	// Text beside a frame moves with the frame's rows; null: it is not seen.
	textY(i, middle, style, x) {
		const { layout } = this, band = layout.bandOf(middle);

		if (band === undefined)
			return layout.y(middle);
		// Names are at the left of the frame that they belong to, numbers at its right.
		const beside = layout.frames.filter((p) => p.frame.timed && middle >= p.frame.y - 0.01 && middle <= p.frame.y + p.frame.height + 0.01
			&& band.frames.includes(p.frame)).sort((a, b) => a.left - b.left);
		const place = style.class === 'name' ? beside.find((p) => p.left > x) || beside[0] : beside.filter((p) => p.left <= x).pop() || beside[0];

		if (place === undefined)
			return layout.y(middle);
		const { frame } = place;

		if (frame.chart && style.class === 'name' && x < place.left)
			return null;
		const row = (middle - frame.y) / frame.height * frame.rows;

		if (place.height < 2)
			return null;
		if (place.groups.some((group) => group.closed && row > group.y0 && row < group.y1))
			return null;
		const y = layout.rowY(place, row);

		return y < place.top - 2 || y > place.top + place.height + 2 ? null : y;
	}

	finish(kind, style) {
		const { context } = this;

		this.pen(style);
		if (kind === TV.POLYGON) {
			context.closePath();
			if (style.fill >= 0)
				context.fill();
		}
		if (style.stroke >= 0)
			context.stroke();
	}

	image(number, x0, y0, x1, y1) {
		const { context } = this;

		context.imageSmoothingEnabled = false;
		context.drawImage(this.scene.image(number), x0, y0, x1 - x0, y1 - y0);
	}

	frameShape(i, place) {
		const { shape, styles } = this.scene, { context, layout } = this, style = styles[shape.style[i]], kind = shape.kind[i];
		const { frame } = place;

		if (kind === TV.CHART) {
			this.chart(place, this.scene.charts[shape.first[i]]);
			return;
		}
		if (kind === TV.POLYLINE || kind === TV.POLYGON) {
			this.line(i, place, style, kind);
			return;
		}
		const x0 = shape.x0[i], x1 = shape.x1[i], whole = frame.timed && x0 <= 0 && x1 >= frame.duration;

		if (!whole && (x1 < this.t0 || x0 > this.t1))
			return;
		const left = whole ? place.left : place.left + (x0 - this.t0) * this.perTime;
		const right = whole ? place.left + place.width : place.left + (x1 - this.t0) * this.perTime;
		const top = layout.rowY(place, shape.y0[i]), bottom = layout.rowY(place, shape.y1[i]);

		if (kind === TV.IMAGE) {
			this.image(shape.first[i], left, top, right, bottom);
			return;
		}
		if (kind === TV.TEXT)
			this.label(i, style, left, right, top, bottom);
		if (kind !== TV.RECT)
			return;
		this.pen(style);
		if (style.class === 'frame') {
			context.lineWidth = 1;
			context.strokeRect(place.left, place.top, place.width, place.height);
			return;
		}
		if (style.fill >= 0)
			context.fillRect(left, top, right - left, bottom - top);
		if (style.stroke >= 0)
			context.strokeRect(left, top, right - left, bottom - top);
	}

	// A label of an item, if it fits into its box.
	label(i, style, left, right, top, bottom) {
		const { context } = this, size = style.width * this.layout.s * (this.timed ? 1 : this.layout.free), middle = (top + bottom) / 2;

		if (bottom - top < size || !this.seen(top, bottom))
			return;
		this.pen(style);
		context.font = `${style.bold ? 'bold ' : ''}${size}px ${TV.FONT}`;
		context.textAlign = 'center';
		context.textBaseline = 'middle';
		TV.fitText(context, [this.scene.data.string(this.scene.shape.first[i])], (left + right) / 2, middle + 0.5, right - left);
	}

	line(i, place, style, kind) {
		const { shape, point } = this.scene, { context, layout, t0, t1 } = this, { frame } = place;
		const first = shape.first[i], n = shape.n[i], px = point.x, py = point.y;
		const Y = (row) => layout.rowY(place, row), X = (x) => place.left + (x - t0) * this.perTime;

		if (this.scene.arrows.has(i)) {
			TV.traceHead(context, this.scene, this.scene.arrows.get(i), first, { X, Y, s: layout.s });
			this.finish(kind, style);
			return;
		}
		if (n === 2 && frame.timed) {
			const upright = px[first] === px[first + 1];

			if (upright && (style.class === 'grid' || style.class === 'tick'))
				return;
			if (!upright && px[first] <= 0 && px[first + 1] >= frame.duration) {
				const y = Math.round(Y(py[first])) + 0.5;

				context.beginPath();
				context.moveTo(place.left, y);
				context.lineTo(place.left + place.width, y);
				this.finish(kind, style);
				return;
			}
			const ends = [0, 1].map((k) => [X(px[first + k]), Y(py[first + k])]);

			TV.traceLine(context, ...ends, place.left - 1e4, place.left + place.width + 1e4);
			this.finish(kind, style);
			return;
		}
		context.beginPath();
		// What shares a column of pixels is drawn as its first, lowest, highest and last point.
		let column = NaN, firstY = 0, min = 0, max = 0, lastY = 0, lastX = 0;
		const flush = () => {
			if (Number.isNaN(column))
				return;
			context.lineTo(lastX, firstY);
			if (min < Math.min(firstY, lastY))
				context.lineTo(lastX, min);
			if (max > Math.max(firstY, lastY))
				context.lineTo(lastX, max);
			context.lineTo(lastX, lastY);
		};
		const end = first + n, left = t0 - (t1 - t0) * 0.01, right = t1 + (t1 - t0) * 0.01;

		for (let k = first; k < end; k++) {
			const x = px[k];

			// Points beside the window: those next to it alone.
			if (frame.timed && kind === TV.POLYLINE && ((x < left && k + 1 < end && px[k + 1] < left) || (x > right && k > first && px[k - 1] > right)))
				continue;
			const at = TV.clamp(X(x), place.left - 1e5, place.left + place.width + 1e5), y = Y(py[k]), cell = Math.floor(at * 2);

			if (cell !== column) {
				flush();
				column = cell;
				firstY = min = max = y;
			} else {
				min = Math.min(min, y);
				max = Math.max(max, y);
			}
			lastY = y;
			lastX = at;
		}
		flush();
		this.finish(kind, style);
	}

	// Lines of pixels of a chart: one for each row, for several rows that are lower than a pixel, for a collapsed
	// group of rows.
	lines(place, chart, ratio) {
		const { layout } = this, lines = [], closed = place.groups.filter((group) => group.closed);
		const Y = (row) => (layout.rowY(place, row) - place.top) * ratio;
		const top = (Math.max(this.top, place.top) - place.top) * ratio, bottom = (Math.min(this.bottom, place.top + place.height) - place.top) * ratio;

		for (let r = 0; r < chart.rows.length; r++) {
			const row = chart.rows[r], group = closed.find((g) => g.from === r);

			if (group !== undefined) {
				lines.push({ y0: Math.round(Y(group.y0)), y1: Math.max(Math.round(Y(group.y1)) - Math.ceil(ratio), Math.round(Y(group.y0)) + 1), rows: chart.rows.slice(group.from, group.to), from: r });
				r = group.to - 1;
				continue;
			}
			const y0 = Y(row.y0), y1 = Y(row.y1), whole = Y(row.bottom);

			if (y1 < top - 1 || y0 > bottom + 1)
				continue;
			const last = lines[lines.length - 1], from = Math.round(y0);

			if (whole - y0 < 1.0 && last !== undefined && last.merged && last.y0 === Math.floor(y0)) {
				last.rows.push(row);
				continue;
			}
			if (whole - y0 < 1.0)
				lines.push({ y0: Math.floor(y0), y1: Math.floor(y0) + 1, rows: [row], from: r, merged: true });
			else
				lines.push({ y0: from, y1: Math.max(Math.round(whole - y0 < 4 ? whole : y1), from + 1), rows: [row], from: r });
		}
		return lines;
	}

	hiddenStyles(chart) {
		const hidden = new Uint8Array(chart.nstyles);

		hidden.any = false;
		chart.type.forEach((type, t) => {
			if (this.view.hidden.has(type.name)) {
				hidden[2 * t] = hidden[2 * t + 1] = 1;
				hidden.any = true;
			}
		});
		return hidden;
	}

	chart(place, chart) {
		const { context, ratio } = this, width = Math.round(place.width * ratio), height = Math.round(place.height * ratio);
		let buffer = this.buffers.get(chart);

		if (buffer === undefined || buffer.width !== width || buffer.height !== height) {
			buffer = new ImageData(width, height);
			this.buffers.set(chart, buffer);
		}
		const out = new Uint32Array(buffer.data.buffer), lines = this.lines(place, chart, ratio), room = context.vector ? 3 : 5 * ratio;

		this.painter.fillGaps(out, width, height, lines);
		const { wide, marks, dense } = this.painter.paint(out, width, height, chart, this.t0, this.t1, lines, this.hiddenStyles(chart), room);

		if (!this.still)
			chart.dense = { blocks: dense, ratio };
		// putImageData ignores clip and transform; a frame is never larger than its canvas. A further chart of a frame has its rows alone.
		for (const { y0, y1 } of place.frame.charts[0] === chart ? [{ y0: 0, y1: height }] : lines)
			context.putImageData(buffer, Math.round(place.left * ratio), Math.round((place.top - this.top) * ratio), 0, y0, width, y1 - y0);
		if (context.vector)
			this.items(place, chart, wide, ratio);
		this.marks(place, chart, marks, ratio);
		this.details(place, chart, wide.filter(({ item }) => (chart.end[item] - chart.begin[item]) * this.perTime >= 5), ratio);
	}

	// Items as shapes, over their pixels. Rows that share pixels, and types that contain others, remain pixels.
	items(place, chart, wide, ratio) {
		const { context, t0, t1, perTime } = this, { begin, end, style, top } = chart;

		if (chart.under || chart.absent)
			return;
		for (const { line, item } of wide) {
			const from = Math.max(begin[item], t0), to = Math.min(end[item], t1), type = chart.types[style[item] >> 1];
			const high = (line.y1 - line.y0) / ratio, up = place.top + line.y0 / ratio + (top ? top[item] * high : 0);

			if (line.rows[0].lanes > 1 || chart.mixed)
				continue;
			context.fillStyle = TV.colors.css(style[item] & 1 ? type.color : type.faded);
			context.fillRect(place.left + (from - t0) * perTime, up, (to - from) * perTime, top ? (chart.bottom[item] - top[item]) * high : high);
		}
	}

	// Outliers that an image hides, at the lower edge of its row.
	marks(place, chart, marks, ratio) {
		const { context } = this;

		for (const mark of marks) {
			context.fillStyle = TV.colors.css(chart.types[mark.type].color);
			context.fillRect(place.left + mark.x / ratio, place.top + Math.max(mark.y1 / ratio - 2, mark.y0 / ratio), 1, Math.min(2, (mark.y1 - mark.y0) / ratio));
		}
	}

	// Lines between adjacent items of one style, and names in items that are wide enough.
	details(place, chart, wide, ratio) {
		const { context, t0, perTime } = this, { begin, end, style, top } = chart;
		const size = 9.5, X = (time) => place.left + (time - t0) * perTime;
		let named = 0;

		context.font = `${size}px ${TV.FONT}`;
		context.textAlign = 'center';
		context.textBaseline = 'middle';
		wide.forEach(({ line, item }, k) => {
			const y0 = place.top + line.y0 / ratio, y1 = place.top + line.y1 / ratio, before = k > 0 ? wide[k - 1] : null;
			const part = top === undefined ? 1 : chart.bottom[item] - top[item], up = y0 + (top === undefined ? 0 : top[item] * (y1 - y0));
			const high = part * (y1 - y0);

			if (before !== null && before.line === line && style[before.item] === style[item] && (begin[item] - end[before.item]) * perTime < 0.6
			    && (top === undefined || top[before.item] === top[item])) {
				context.fillStyle = TV.colors.css(0xffffff);
				context.fillRect(X(begin[item]) - 0.5, up, 1, high);
			}
			const left = Math.max(X(begin[item]), place.left), right = Math.min(X(end[item]), place.left + place.width);

			if (high < size + 1 || right - left < 24 || named > 3000 || chart.labelled)
				return;
			named++;
			context.fillStyle = TV.contrast(TV.colors.of((style[item] & 1) ? chart.types[style[item] >> 1].color : chart.types[style[item] >> 1].faded));
			TV.fitText(context, TV.itemTexts(chart, item), (left + right) / 2, up + high / 2 + 0.5, right - left - 6);
		});
	}

	// Names of rows, where they fit; else of their groups.
	names(place, chart) {
		const { context, layout } = this, size = 6.6 * layout.s, main = place.frame.chart === chart;
		// Beside what was before the run, if that is shown.
		const setup = layout.frames.find((one) => one.frame.setup && one.frame.part === place.frame.part), { left } = setup || place, right = left - Math.max(5, 3 + chart.accents * layout.s);

		// Charts beside others with the same rows have no names.
		if (!chart.named)
			return;
		const lines = this.lines(place, chart, 1), toggleY = (group) => Math.max(layout.rowY(place, group.y0), place.top) + 6;
		let free = -Infinity;

		context.save();
		context.beginPath();
		context.rect(0, place.top - 4, left, place.height + 8);
		context.clip();
		context.font = `${size}px ${TV.FONT}`;
		context.textAlign = 'right';
		context.textBaseline = 'middle';
		for (const line of lines) {
			const group = place.groups.find((g) => g.closed && g.from === line.from), y = place.top + (line.y0 + line.y1) / 2;
			const name = group ? group.key : chart.rows[line.from].name;

			if (y - size * 0.45 < free || y < place.top || y > place.top + place.height)
				continue;
			context.fillStyle = TV.colors.css(group ? 0x4a4a4a : 0x1a1a1a);
			const room = right - (place.groups.some((g) => Math.abs(toggleY(g) - y) < 9) ? 13 : 2);

			// Somewhat narrower letters, then fewer of them.
			context.fillText(TV.shorten(context, group ? `${name} (${group.to - group.from})` : name, room / 0.7), right, y, room);
			free = y + size * 0.45;
		}
		if (main)
			place.toggles = [];
		for (const group of main ? place.groups : []) {
			const y = toggleY(group);

			if (y > place.top + place.height || layout.rowY(place, group.y1) < place.top + 4)
				continue;
			this.triangle(6, y, group.closed);
			place.toggles.push({ x: 6, y, key: group.key });
		}
		context.restore();
	}
};
