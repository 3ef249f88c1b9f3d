// SPDX-License-Identifier: GPL-3.0-or-later
// The figure in the window: a canvas that stays while the page scrolls below it, an overlay for what moves with
// the pointer, and above both the overview strip and the ruler of time.
'use strict';

TV.Figure = class {
	constructor(root, scene, view) {
		Object.assign(this, { scene, view, overlays: [] });
		this.canvas = TV.el('canvas', { class: 'tv-canvas', role: 'img', 'aria-label': 'the figure' });
		this.overlay = TV.el('canvas', { class: 'tv-canvas tv-overlay', 'aria-hidden': 'true' });
		this.spacer = TV.el('div', { class: 'tv-spacer' });
		this.sticky = TV.el('div', { class: 'tv-sticky' }, this.canvas, this.overlay);
		this.scroll = TV.el('div', { class: 'tv-scroll', tabindex: '0' }, this.sticky, this.spacer);
		this.ruler = TV.el('canvas', { class: 'tv-ruler', 'aria-hidden': 'true' });
		root.append(this.ruler, this.scroll);
		this.draw = new TV.Draw(scene, view);
		this.stack = new TV.Stack(scene);
		this.pointer = null; // {x, y} on the page of the figure
		this.wanted = { all: false, over: false };
		this.scroll.addEventListener('scroll', () => this.ask());
		new ResizeObserver(() => {
			this.layout = null;
			this.ask();
		}).observe(this.scroll);
		// Browsers may drop the pixels of a canvas when memory is short.
		for (const canvas of [this.canvas, this.overlay, this.ruler])
			canvas.addEventListener('contextrestored', () => this.ask());
		TV.on('layout', () => {
			this.layout = null;
		});
		TV.on('view', () => this.ask());
		this.layout = null;
		this.frames = []; // milliseconds that drawing took, for measurements
	}

	// Draws again at the next frame; over: the overlay alone.
	ask(over = false) {
		const first = !this.wanted.all && !this.wanted.over;

		if (over)
			this.wanted.over = true;
		else
			this.wanted.all = true;
		if (first)
			requestAnimationFrame(() => this.frame());
	}

	frame() {
		const { all } = this.wanted, start = performance.now();

		this.wanted = { all: false, over: false };
		if (all)
			this.drawAll();
		if (this.layout !== null)
			this.drawOver();
		this.frames.push(performance.now() - start);
		if (this.frames.length > 1000)
			this.frames.shift();
	}

	size(canvas, width, height, ratio) {
		if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
			canvas.width = Math.round(width * ratio);
			canvas.height = Math.round(height * ratio);
			canvas.style.width = `${width}px`;
			canvas.style.height = `${height}px`;
		}
	}

	drawAll() {
		const ratio = window.devicePixelRatio || 1, width = this.scroll.clientWidth, height = this.scroll.clientHeight;

		if (width === 0 || height === 0)
			return;
		const dark = this.view.isDark();

		if (this.dark !== dark || this.palette !== this.view.palette) {
			this.dark = dark;
			this.palette = this.view.palette;
			document.documentElement.dataset.tvTheme = dark ? 'dark' : 'light';
			TV.colors.choose(dark, this.palette, this.scene.types);
			this.strip = null;
			for (const image of this.scene.images)
				image.canvas = null;
			TV.emit('colors', this.view);
		}
		if (this.layout === null) {
			this.stack.arrange(width);
			this.layout = new TV.Layout(this.scene, width, height, this.view);
			this.spacer.style.height = `${Math.max(this.layout.height - height, 0)}px`;
			this.strip = null;
		}
		this.size(this.canvas, width, height, ratio);
		this.size(this.overlay, width, height, ratio);
		this.width = width;
		this.height = height;
		this.ratio = ratio;
		this.context = this.context || this.canvas.getContext('2d', { alpha: false });
		this.draw.all(this.context, this.layout, this.scroll.scrollTop, width, height, ratio);
		this.drawRuler(width, ratio);
	}

	// Overview: the share of each type over the whole time, with the window; below it the ruler.
	drawRuler(width, ratio) {
		const context = this.ruler.getContext('2d'), { layout, view, scene } = this, high = 52, strip = 22, below = 6;

		this.size(this.ruler, width, high, ratio);
		if (this.strip === null)
			this.strip = this.makeStrips(strip, ratio);
		context.setTransform(ratio, 0, 0, ratio, 0, 0);
		context.fillStyle = TV.colors.css(0xffffff);
		context.fillRect(0, 0, width, high);
		layout.columns.forEach((column, k) => {
			const left = Math.round(layout.x(column.x)), right = Math.round(layout.x(column.end)), span = right - left;
			const X = (time) => left + (time - scene.begin) / (scene.end - scene.begin) * span;
			const x0 = TV.clamp(X(view.begin), left, right), x1 = TV.clamp(X(view.end), left, right);

			if (this.strip[k])
				context.drawImage(this.strip[k], left, 2, span, strip);
			context.fillStyle = this.dark ? '#0e1216a8' : '#ffffffb8';
			context.fillRect(left, 2, x0 - left, strip);
			context.fillRect(x1, 2, right - x1, strip);
			context.strokeStyle = TV.colors.css(0x6a6a6a);
			context.lineWidth = 1;
			context.strokeRect(Math.round(x0) + 0.5, 2.5, Math.max(Math.round(x1 - x0) - 1, 1), strip - 1);
			// The strip is the whole run; the ticks are those of the window, which its lower corners lead to.
			context.beginPath();
			context.moveTo(Math.round(x0) + 0.5, strip + 1.5);
			context.lineTo(left + 0.5, strip + below + 2.5);
			context.lineTo(right - 0.5, strip + below + 2.5);
			context.lineTo(Math.max(Math.round(x1), Math.round(x0) + 1) - 0.5, strip + 1.5);
			context.stroke();
			context.font = `11px ${TV.FONT}`;
			context.textBaseline = 'middle';
			context.textAlign = 'right';
			context.fillStyle = TV.colors.css(0x6a6a6a);
			context.fillText('all', left - 8, strip / 2 + 2);
			this.drawTicks(context, this.draw.ticks[k], left, span, strip + below + 2);
		});
	}

	drawTicks(context, ticks, left, span, top) {
		const { view } = this, X = (time) => left + (time - view.begin) / (view.end - view.begin) * span;
		let free = left - 30;

		context.font = `11px ${TV.FONT}`;
		context.textBaseline = 'middle';
		context.textAlign = 'right';
		context.fillStyle = TV.colors.css(0x6a6a6a);
		context.fillText(ticks.unit, left - 16, top + 12);
		context.textAlign = 'center';
		ticks.at.forEach((tick, k) => {
			const x = X(tick), half = context.measureText(ticks.text[k]).width / 2;

			context.fillStyle = TV.colors.css(0x9a9a9a);
			context.fillRect(Math.round(x), top + 18, 1, 4);
			if (x - half < free || x + half > left + span + 25)
				return;
			context.fillStyle = TV.colors.css(0x1a1a1a);
			context.fillText(ticks.text[k], x, top + 12);
			free = x + half + 10;
		});
	}

	// One picture per column: all rows of its first chart as one.
	makeStrips(height, ratio) {
		const { layout, scene, draw } = this;

		return layout.columns.map((column) => {
			const frame = scene.frames.find((f) => f.timed && f.chart && Math.abs(f.x - column.x) < 0.01);
			const chart = frame && (frame.chart.whole || frame.chart);
			const width = Math.round((layout.x(column.end) - layout.x(column.x)) * ratio), tall = Math.round(height * ratio);

			if (frame === undefined || width < 1)
				return null;
			const image = new ImageData(width, tall), canvas = TV.el('canvas', { width, height: tall }), out = new Uint32Array(image.data.buffer);

			out.fill(TV.pixel(TV.colors.ground()));
			draw.painter.paint(out, width, tall, chart, scene.begin - frame.offset, scene.end - frame.offset,
				[{ y0: 0, y1: tall, rows: chart.rows }], draw.hiddenStyles(frame.chart), Infinity);
			canvas.getContext('2d').putImageData(image, 0, 0);
			return canvas;
		});
	}

	drawOver() {
		if (this.layout === null)
			return;
		const context = this.overlay.getContext('2d'), { ratio, width, height } = this;

		context.setTransform(ratio, 0, 0, ratio, 0, 0);
		context.clearRect(0, 0, width, height);
		context.translate(0, -this.scroll.scrollTop);
		for (const paint of this.overlays) {
			context.save();
			paint(context, this);
			context.restore();
		}
	}

	// The layout of what is to be drawn.
	laid() {
		if (this.layout === null)
			this.drawAll();
		return this.layout;
	}

	// Scrolls so that the row of an item is seen.
	reveal(chart, item) {
		const place = this.laid().frames[chart.frame.number], rows = this.view.rows.get(chart.frame.number);
		let box = this.itemBox(place, chart, item);

		if (rows && (box.y0 < place.top || box.y1 > place.top + place.height)) {
			const line = (place.map.line(chart.rows[chart.rowOf[item]].y0) + place.map.line(chart.rows[chart.rowOf[item]].bottom)) / 2 / place.map.last();
			const from = TV.clamp(line - (rows[1] - rows[0]) / 2, 0, 1 - rows[1] + rows[0]);

			this.view.showRows(chart.frame.number, from, from + rows[1] - rows[0]);
			box = this.itemBox(this.laid().frames[chart.frame.number], chart, item);
		}
		const { scrollTop } = this.scroll, low = box.y1 + 24 - this.scroll.clientHeight, high = box.y0 - 24;

		if (scrollTop < low || scrollTop > high)
			this.scroll.scrollTop = scrollTop < low ? low : high;
	}

	// The same of a task or a call, in the first chart that has it; of a gap, by the tasks beside it.
	revealChosen(one) {
		if (one === null)
			return;
		const { gap } = TV.Work.of(one.run), row = one.gap === undefined ? one.row : gap.next[one.gap] === TV.NONE ? gap.after[one.gap] : gap.next[one.gap];
		const chart = one.call ? TV.chartOfCall(one) : this.scene.charts.find((other) => other.tasks && other.run === one.run && other.itemOf(row) >= 0);

		if (chart !== undefined)
			this.reveal(chart, chart.itemOf(row));
	}

	// Where a time is in a frame, and back.
	timeX(place, time) {
		return place.left + (time - this.view.begin) / (this.view.end - this.view.begin) * place.width;
	}

	xTime(place, x) {
		return this.view.begin + (x - place.left) / place.width * (this.view.end - this.view.begin);
	}

	// Whether shares are drawn where an item begins: then it has no part of the height of its row, but all of it.
	isDense(place, chart, item, r) {
		const blocks = chart.dense ? chart.dense.blocks.get(r) : undefined, x = this.timeX(place, Math.max(chart.begin[item] + place.frame.offset, this.view.begin)) - place.left;

		return blocks !== undefined && blocks[Math.floor(x * chart.dense.ratio / TV.CELLS)] === 1;
	}

	// The box of an item, in pixels of the page; null if its row is not seen.
	itemBox(place, chart, item) {
		chart.itemOf(0);
		const r = chart.rowOf[item], row = chart.rows[r], part = chart.top && !this.isDense(place, chart, item, r), top = part ? chart.top[item] : 0, bottom = part ? chart.bottom[item] : 1;
		const group = place.groups.find((g) => g.closed && r >= g.from && r < g.to);
		const y0 = this.layout.rowY(place, group ? group.y0 : row.y0 + top * (row.y1 - row.y0));
		const y1 = this.layout.rowY(place, group ? group.y1 : row.y0 + bottom * (row.y1 - row.y0));
		const offset = place.frame.offset;

		return { x0: this.timeX(place, chart.begin[item] + offset), x1: this.timeX(place, chart.end[item] + offset), y0, y1, group };
	}

	// What is at a point of the page: {place, time, chart, r, item}.
	hit(x, y) {
		const place = this.layout === null ? null : this.layout.at(x, y);

		if (place === null)
			return null;
		const time = this.xTime(place, x), row = this.layout.yRow(place, y), under = (one) => one.rows.findIndex(({ y0, bottom }) => row >= y0 && row < bottom);
		const chart = place.frame.charts.find((one) => under(one) >= 0) || place.frame.chart, found = { place, time, chart, r: -1, item: -1 };

		if (!chart)
			return found;
		const r = under(chart);

		if (r < 0 || place.groups.some((group) => group.closed && r >= group.from && r < group.to))
			return found;
		const { y0, y1 } = chart.rows[r], tolerance = 2.5 * (this.view.end - this.view.begin) / place.width;

		found.r = r;
		found.item = chart.at(r, time - place.frame.offset, TV.clamp((row - y0) / (y1 - y0), 0, 1), tolerance);
		if (found.item >= 0 && this.view.hidden.has(chart.types[chart.style[found.item] >> 1].name))
			found.item = -1;
		return found;
	}
};
