// SPDX-License-Identifier: GPL-3.0-or-later
// Items as pixels: of each cell (a pixel wide, a row high) the exact share of each type. The rules are those of
// the PNG: a block of 64 cells is dense if it contains at least four items whose mean width there is below two
// cells, or one of which is lower than a cell. In dense blocks the shares are stacked in the order of the legend
// if the row is at least four pixels high, else blended in linear light; elsewhere items are drawn as they are,
// and what shares a pixel is blended.
'use strict';

TV.CELLS = 64; // of a block
TV.FEW = 4;
TV.STACKED = 4; // pixels of height

// Shares of the cells of one line of pixels. Made once per width and number of styles.
TV.Shares = class {
	constructor(width, nstyles) {
		this.width = width;
		this.nstyles = nstyles;
		this.edge = new Float64Array(width + 1);
		this.share = new Float64Array(width * nstyles);
		this.touched = new Uint8Array(width);
		this.nblocks = Math.ceil(width / TV.CELLS);
		this.count = new Uint32Array(this.nblocks);
		this.sum = new Float64Array(this.nblocks);
		this.dense = new Uint8Array(this.nblocks);
		this.thin = new Uint8Array(this.nblocks);
		this.mark = new Uint8Array(width); // 1 + type of an outlier
		this.lines = 0; // rows, or lanes, that share the cells
	}

	// The window: cells are whole ns where they are longer than one.
	window(begin, end) {
		const { edge, width } = this, cell = (end - begin) / width;

		for (let c = 0; c < width; c++)
			edge[c] = cell > 1 ? begin + Math.floor((end - begin) * c / width) : begin + cell * c;
		edge[width] = end;
		this.cell = cell;
	}

	clear() {
		const { share, touched, nstyles } = this;

		for (let c = 0; c < this.width; c++)
			if (touched[c] !== 0)
				share.fill(0, c * nstyles, (c + 1) * nstyles);
		touched.fill(0);
		this.count.fill(0);
		this.sum.fill(0);
		this.thin.fill(0);
		this.mark.fill(0);
		this.lines = 0;
	}

	cellOf(time) {
		const { edge, width } = this;
		let c = TV.clamp((time - edge[0]) / (edge[width] - edge[0]) * width | 0, 0, width - 1);

		while (c > 0 && edge[c] > time)
			c--;
		while (c + 1 < width && edge[c + 1] <= time)
			c++;
		return c;
	}

	// Adds the items of a row; hidden[style] are left out. height in pixels; wide: gets the items that are at
	// least `room` cells wide.
	add(chart, row, hidden, height, wide, room) {
		const { edge, share, touched, nstyles, count, sum, thin, mark, width } = this;
		const { begin, end, style, top, bottom, under, absent } = chart;
		const from = edge[0], to = edge[width], [first, last] = chart.range(row, from, to);
		const whole = chart.until === end && top === undefined && !under && !absent && !hidden.any;
		const scale = width / (to - from), perCell = 1 / this.cell, roomy = room * this.cell;

		this.lines += row.lanes;
		for (let i = first; i < last; i++) {
			let b = begin[i], e = end[i];

			// A block of items inside one cell: their sums.
			if (whole && (i & TV.BLOCK - 1) === 0 && i + TV.BLOCK <= last && end[i + TV.BLOCK - 1] - b < this.cell && b >= from) {
				const c = this.cellOf(b);

				if (end[i + TV.BLOCK - 1] <= edge[c + 1]) {
					const block = i / TV.BLOCK * nstyles, k = c / TV.CELLS | 0;

					for (let s = 0; s < nstyles; s++) {
						const time = chart.sum[block + s];

						if (time > 0) {
							share[c * nstyles + s] += time;
							sum[k] += time * perCell;
							if (s & 1)
								mark[c] = mark[c] === 0 ? 1 + (s >> 1) : Math.min(mark[c], 1 + (s >> 1));
						}
					}
					touched[c] = 1;
					count[k] += TV.BLOCK;
					i += TV.BLOCK - 1;
					continue;
				}
			}
			const s = style[i];

			if (hidden[s] === 1)
				continue;
			if (b < from)
				b = from;
			if (e > to)
				e = to;
			if (e < b || (e === b && end[i] !== begin[i]))
				continue;
			if (wide !== null && e - b >= roomy)
				wide.push(i);
			let c = (b - from) * scale | 0;

			if (c >= width)
				c = width - 1;
			while (edge[c] > b)
				c--;
			while (c + 1 < width && edge[c + 1] <= b)
				c++;
			const low = top !== undefined && (bottom[i] - top[i]) * height < 1 ? 1 : 0;
			const factor = absent && absent[i] > 0 ? 1 - absent[i] : 1;
			const outer = under && under[i] !== 255 ? 2 * under[i] : -1;
			let k = c >> 6, inBlock = b;

			count[k]++;
			thin[k] |= low;
			for (;;) {
				const stop = e < edge[c + 1] ? e : edge[c + 1];

				share[c * nstyles + s] += (stop - b) * factor;
				if (outer >= 0)
					share[c * nstyles + outer] -= stop - b;
				touched[c] = 1;
				if (s & 1)
					mark[c] = mark[c] === 0 ? 1 + (s >> 1) : Math.min(mark[c], 1 + (s >> 1));
				b = stop;
				if (b >= e)
					break;
				c++;
				if ((c & 63) === 0) {
					sum[k] += (b - inBlock) * perCell;
					inBlock = b;
					k = c >> 6;
					count[k]++;
					thin[k] |= low;
				}
			}
			sum[k] += (b - inBlock) * perCell;
		}
	}

	// Which blocks are dense; all: every one.
	find(all) {
		for (let k = 0; k < this.nblocks; k++)
			this.dense[k] = all || this.count[k] >= TV.FEW && (this.thin[k] || this.sum[k] < 2 * this.count[k]) ? 1 : 0;
	}

	// Weights of the styles of one cell, into `weight`; the last one is the ground's.
	weigh(c, weight) {
		const { share, nstyles, edge } = this, at = c * nstyles;
		let whole = (edge[c + 1] - edge[c]) * this.lines, sum = 0;

		for (let s = 0; s < nstyles; s++)
			if (share[at + s] > 0)
				sum += share[at + s];
		if (sum > whole)
			whole = sum;
		for (let s = 0; s < nstyles; s++)
			weight[s] = share[at + s] > 0 ? share[at + s] / whole : 0;
		weight[nstyles] = 1 - sum / whole;
	}
};

// Pixels of items in an area of a page.
TV.Painter = class {
	constructor() {
		this.shares = null;
		this.weight = new Float64Array(1024);
	}

	// Colors of the styles of a chart, as pixels and in linear light, dense blocks first.
	colors(chart) {
		const ground = TV.colors.ground(), make = (rgbs) => {
			const linear = new Float32Array(3 * (rgbs.length + 1)), pixel = new Uint32Array(rgbs.length + 1);

			[...rgbs, ground].forEach((rgb, s) => {
				pixel[s] = TV.pixel(rgb);
				for (let k = 0; k < 3; k++)
					linear[3 * s + k] = TV.linear[rgb >> 16 - 8 * k & 0xff];
			});
			return { linear, pixel };
		};
		const of = (dense) => make(chart.types.flatMap((type) => [type.faded, dense ? type.faded : type.color])
			.map((rgb) => TV.colors.of(rgb)));

		return { dense: of(true), sparse: of(false) };
	}

	blend(linear, weight, n) {
		let r = 0, g = 0, b = 0;

		for (let s = 0, at = 0; s < n; s++, at += 3) {
			const w = weight[s];

			if (w > 0) {
				r += w * linear[at];
				g += w * linear[at + 1];
				b += w * linear[at + 2];
			}
		}
		return (0xff000000 | TV.srgb[Math.min(b, 1) * 16384 + 0.5 | 0] << 16 | TV.srgb[Math.min(g, 1) * 16384 + 0.5 | 0] << 8
			| TV.srgb[Math.min(r, 1) * 16384 + 0.5 | 0]) >>> 0;
	}

	// A column of shares from the bottom; a pixel of several styles is blended by their parts.
	stack(out, stride, x, y0, y1, colors, weight, n) {
		const part = this.part || (this.part = new Float64Array(1024)), height = y1 - y0;
		let left = 0, s = -1;

		for (let y = y1 - 1; y >= y0; y--) {
			let filled = 0;

			while (left <= 1e-9 && s + 1 < n)
				left = weight[++s] * height;
			if (left >= 1 - 1e-9 || s + 1 >= n) {
				out[y * stride + x] = colors.pixel[s];
				left -= 1;
				continue;
			}
			part.fill(0, 0, n);
			while (filled < 1 - 1e-9) {
				while (left <= 1e-12 && s + 1 < n)
					left = weight[++s] * height;
				const take = left <= 1e-12 ? 1 - filled : Math.min(left, 1 - filled);

				part[s] += take;
				filled += take;
				left -= take;
			}
			out[y * stride + x] = this.blend(colors.linear, part, n);
		}
	}

	// One line of pixels for each of [y0, y1), from the shares of this.shares.
	line(out, stride, y0, y1, colors, rects) {
		const shares = this.shares, { width, nstyles, touched, dense } = shares, weight = this.weight, n = nstyles + 1;
		const ground = colors.sparse.pixel[nstyles], stacked = y1 - y0 >= TV.STACKED, at = y0 * stride;
		let stacks = false;

		for (let c = 0; c < width; c++) {
			if (touched[c] === 0) {
				out[at + c] = ground;
				continue;
			}
			const isDense = dense[c >> 6] === 1;

			if (isDense && stacked) {
				stacks = true;
				continue;
			}
			if (!isDense && rects) {
				out[at + c] = ground;
				continue;
			}
			shares.weigh(c, weight);
			out[at + c] = this.blend(isDense ? colors.dense.linear : colors.sparse.linear, weight, n);
		}
		for (let y = y0 + 1; y < y1; y++)
			out.copyWithin(y * stride, at, at + width);
		for (let c = 0; stacks && c < width; c++)
			if (dense[c >> 6] === 1 && touched[c] === 1) {
				shares.weigh(c, weight);
				this.stack(out, stride, c, y0, y1, colors.dense, weight, n);
			}
	}

	// Items with a part of the row's height, outside dense blocks: as rectangles.
	rects(out, stride, chart, row, hidden, y0, y1, colors) {
		const shares = this.shares, { edge, width, dense } = shares, from = edge[0], to = edge[width];
		const [first, last] = chart.range(row, from, to), scale = width / (to - from);

		for (let i = first; i < last; i++) {
			if (hidden[chart.style[i]] === 1 || chart.end[i] < from)
				continue;
			const x0 = TV.clamp((chart.begin[i] - from) * scale, 0, width), x1 = TV.clamp((chart.end[i] - from) * scale, 0, width);
			const c0 = Math.min(Math.round(x0), width - 1), c1 = Math.max(Math.round(x1), c0 + 1);
			const top = y0 + Math.round(chart.top[i] * (y1 - y0));
			const bottom = Math.max(y0 + Math.round(chart.bottom[i] * (y1 - y0)), top + 1);
			const color = colors.sparse.pixel[chart.style[i]];

			for (let c = c0; c < c1;) {
				const end = Math.min(c1, (c >> 6) + 1 << 6);

				if (dense[c >> 6] === 0)
					for (let y = top; y < bottom && y < y1; y++)
						out.fill(color, y * stride + c, y * stride + end);
				c = end;
			}
		}
	}

	/*
	 * Paints a chart into the pixels `out` (Uint32Array, `width` x `height`, ground set). begin, end: window, ns
	 * after the frame's begin. lines: [{y0, y1 (pixels), rows: [row, ...]}] from top to bottom. Returns the wide
	 * items [{row, item}], for texts and boundaries, and the marks [{x, y, type}] of outliers that an image hides.
	 */
	paint(out, width, height, chart, begin, end, lines, hidden, room) {
		if (this.shares === null || this.shares.width !== width || this.shares.nstyles !== chart.nstyles)
			this.shares = new TV.Shares(width, chart.nstyles);
		const shares = this.shares, colors = this.colors(chart), wide = [], marks = [];

		this.chart = chart;
		this.hidden = hidden;

		shares.window(begin, end);
		for (const line of lines) {
			const y0 = Math.max(line.y0, 0), y1 = Math.min(line.y1, height), one = line.rows.length === 1, found = one ? [] : null;

			if (y1 <= y0)
				continue;
			shares.clear();
			for (const row of line.rows)
				shares.add(chart, row, hidden, line.y1 - line.y0, found, room);
			shares.find(!one || chart.mixed);
			const rects = one && chart.top !== undefined;

			if (line.y0 < 0 || line.y1 > height)
				this.clipped(out, width, height, line, colors, rects);
			else
				this.line(out, width, y0, y1, colors, rects);
			if (rects && line.y0 >= 0 && line.y1 <= height)
				this.rects(out, width, chart, line.rows[0], hidden, y0, y1, colors);
			if (one)
				for (const item of found)
					wide.push({ line, item });
			for (let c = 0; c < width; c++)
				if (shares.mark[c] !== 0 && shares.dense[c >> 6] === 1)
					marks.push({ x: c, y: y1, type: shares.mark[c] - 1 });
		}
		return { wide, marks };
	}

	// A line that leaves the area: drawn whole beside it, then the part that is seen.
	clipped(out, width, height, line, colors, rects) {
		const tall = line.y1 - line.y0, whole = new Uint32Array(width * tall).fill(colors.sparse.pixel[this.shares.nstyles]);
		const from = Math.max(line.y0, 0), to = Math.min(line.y1, height);

		this.line(whole, width, 0, tall, colors, rects);
		if (rects)
			this.rects(whole, width, this.chart, line.rows[0], this.hidden, 0, tall, colors);
		out.set(whole.subarray((from - line.y0) * width, (to - line.y0) * width), from * width);
	}
};
