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

// Shares of the cells of one line of pixels. Made once per width and number of types.
TV.Shares = class {
	constructor(width, ntypes) {
		this.width = width;
		this.ntypes = ntypes;
		this.edge = new Float64Array(width + 2); // and one that nothing reaches
		this.share = new Float64Array((width + 1) * ntypes); // time of each type
		this.outlier = new Float64Array((width + 1) * ntypes); // of it, that of outliers
		this.nblocks = Math.ceil(width / TV.CELLS);
		this.count = new Uint32Array(this.nblocks);
		this.sum = new Float64Array(this.nblocks);
		this.dense = new Uint8Array(this.nblocks);
		this.thin = new Uint8Array(this.nblocks);
		this.mark = new Uint8Array(width); // 1 + type of an outlier
		this.lines = 0; // rows, or lanes, that share the cells
		this.low = 0;
		this.high = width;
	}

	// The window: cells are whole ns where they are longer than one.
	window(begin, end) {
		const { edge, width } = this, cell = (end - begin) / width;

		for (let c = 0; c < width; c++)
			edge[c] = cell > 1 ? begin + Math.floor((end - begin) * c / width) : begin + cell * c;
		edge[width] = end;
		edge[width + 1] = Infinity;
		this.cell = cell;
	}

	// Forgets the rows added; only cells of [low, high) can be other than empty.
	clear() {
		const { low, high, ntypes } = this;

		if (low < high) {
			this.share.fill(0, low * ntypes, high * ntypes);
			this.outlier.fill(0, low * ntypes, high * ntypes);
			this.mark.fill(0, low, high);
		}
		this.count.fill(0);
		this.sum.fill(0);
		this.thin.fill(0);
		this.low = this.width;
		this.high = 0;
		this.lines = 0;
	}

	// Those of a row that are in the window will touch no other cells.
	reach(chart, first, last) {
		if (first >= last)
			return;
		this.low = Math.min(this.low, this.cellOf(Math.max(chart.begin[first], this.edge[0])));
		this.high = Math.max(this.high, this.cellOf(Math.min(chart.until[last - 1], this.edge[this.width])) + 1);
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
		const [first, last] = chart.range(row, this.edge[0], this.edge[this.width]);

		this.lines += row.lanes;
		this.reach(chart, first, last);
		if (chart.until === chart.end && !chart.top && !chart.under && !chart.absent && !hidden.any)
			this.addPlain(chart, first, last, wide, room);
		else
			this.addAny(chart, first, last, hidden, height, wide, room);
		if (chart.covers)
			TV.addCovers(this, chart, row, hidden);
	}

	// Adds a share of [b, e), as of items that are narrower than cells.
	addShare(b, e, type, share) {
		const c = this.cellOf(b), last = this.cellOf(e);

		this.low = Math.min(this.low, c);
		this.high = Math.max(this.high, last + 1);
		this.count[c >> 6] += TV.FEW;
		this.thin[c >> 6] = 1;
		this.spread(b, e, c, 2 * type, share, -1, 1);
	}

	// Items that do not overlap, all of them shown: nearly all are inside one cell, or whole blocks of them are.
	addPlain(chart, first, last, wide, room) {
		const { edge, share, ntypes, count, sum, width, cell } = this, { begin, end, style } = chart;
		const from = edge[0], to = edge[width], scale = width / (to - from), perCell = 1 / cell, roomy = room * cell;

		for (let i = first; i < last; i++) {
			let b = begin[i];

			if ((i & TV.BLOCK - 1) === 0 && i + TV.BLOCK <= last && b >= from && end[i + TV.BLOCK - 1] - b < cell) {
				const c = this.cellOf(b);

				if (end[i + TV.BLOCK - 1] <= edge[c + 1]) {
					this.addBlock(chart, i, c);
					i += TV.BLOCK - 1;
					continue;
				}
			}
			let e = end[i], c = (b - from) * scale | 0;

			if (b < from) {
				b = from;
				c = 0;
			}
			if (e > to)
				e = to;
			if (c >= width)
				c = width - 1;
			while (edge[c] > b)
				c--;
			while (c + 1 < width && edge[c + 1] <= b)
				c++;
			const s = style[i];

			count[c >> 6]++;
			// In one cell or two, of one block, without a branch that cannot be foreseen.
			if (e <= edge[c + 2] && (s & 1) === 0 && (c & 63) !== 63) {
				const middle = Math.min(e, edge[c + 1]), at = c * ntypes + (s >> 1);

				share[at] += middle - b;
				share[at + ntypes] += e - middle;
				sum[c >> 6] += (e - b) * perCell;
				continue;
			}
			if (wide !== null && e - b >= roomy)
				wide.push(i);
			this.spread(b, e, c, s, 1, -1, 0);
		}
	}

	addBlock(chart, i, c) {
		const { share, ntypes } = this, block = i / TV.BLOCK * chart.nstyles;
		let all = 0;

		for (let s = 0; s < chart.nstyles; s++) {
			const time = chart.sum[block + s];

			if (time > 0) {
				share[c * ntypes + (s >> 1)] += time;
				all += time;
				if (s & 1)
					this.addOutlier(c, s >> 1, time);
			}
		}
		this.sum[c >> 6] += all / this.cell;
		this.count[c >> 6] += TV.BLOCK;
	}

	addOutlier(c, type, time) {
		this.outlier[c * this.ntypes + type] += time;
		this.mark[c] = this.mark[c] === 0 ? 1 + type : Math.min(this.mark[c], 1 + type);
	}

	// Adds [b, e) of style s to the cells from c on; its block's count is known.
	spread(b, e, c, s, factor, outer, low) {
		const { edge, share, ntypes, count, sum, thin } = this, perCell = 1 / this.cell, type = s >> 1;
		let k = c >> 6, inBlock = b;

		for (;;) {
			const stop = e < edge[c + 1] ? e : edge[c + 1];

			share[c * ntypes + type] += (stop - b) * factor;
			if (outer >= 0)
				share[c * ntypes + outer] -= stop - b;
			if (s & 1)
				this.addOutlier(c, type, stop - b);
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

	addAny(chart, first, last, hidden, height, wide, room) {
		const { edge, count, thin, width } = this, { begin, end, style, top, bottom, under, absent } = chart;
		const from = edge[0], to = edge[width], scale = width / (to - from), roomy = room * this.cell;

		for (let i = first; i < last; i++) {
			const s = style[i], b = Math.max(begin[i], from), e = Math.min(end[i], to);

			if (hidden[s] === 1 || e < b || (e === b && end[i] !== begin[i]))
				continue;
			if (wide !== null && e - b >= roomy)
				wide.push(i);
			let c = TV.clamp((b - from) * scale | 0, 0, width - 1);

			while (edge[c] > b)
				c--;
			while (c + 1 < width && edge[c + 1] <= b)
				c++;
			const low = top && (bottom[i] - top[i]) * height < 1 ? 1 : 0;

			count[c >> 6]++;
			thin[c >> 6] |= low;
			this.spread(b, e, c, s, absent && absent[i] > 0 ? 1 - absent[i] : 1, under && under[i] !== 255 ? under[i] : -1, low);
		}
	}

	// Which blocks are dense; all: every one.
	find(all) {
		for (let k = 0; k < this.nblocks; k++)
			this.dense[k] = all || this.count[k] >= TV.FEW && (this.thin[k] || this.sum[k] < 2 * this.count[k]) ? 1 : 0;
	}

	// Weights of the types in one cell, into `weight`; the last one is the ground's.
	weigh(c, weight) {
		const { share, ntypes, edge } = this, at = c * ntypes;
		let whole = (edge[c + 1] - edge[c]) * this.lines, sum = 0;

		for (let t = 0; t < ntypes; t++)
			if (share[at + t] > 0)
				sum += share[at + t];
		if (sum > whole)
			whole = sum;
		for (let t = 0; t < ntypes; t++)
			weight[t] = share[at + t] > 0 ? share[at + t] / whole : 0;
		weight[ntypes] = 1 - sum / whole;
	}
};

// Pixels of items in an area of a page.
TV.Painter = class {
	constructor() {
		this.shares = null;
		this.weight = new Float64Array(1024);
	}

	// Colors of the types of a chart, then of the ground, as pixels and in linear light: of usual items (faded),
	// and of outliers.
	colors(chart) {
		const ground = TV.colors.ground(), make = (rgbs) => {
			const linear = new Float64Array(3 * (rgbs.length + 1)), pixel = new Uint32Array(rgbs.length + 1);

			[...rgbs, ground].forEach((rgb, t) => {
				pixel[t] = TV.pixel(rgb);
				for (let k = 0; k < 3; k++)
					linear[3 * t + k] = TV.linear[rgb >> 16 - 8 * k & 0xff];
			});
			return { linear, pixel };
		};

		return { usual: make(chart.types.map((type) => TV.colors.of(type.faded))), outlier: make(chart.types.map((type) => TV.colors.of(type.color))) };
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
		const shares = this.shares, { width, ntypes, dense, low, high } = shares, weight = this.weight;
		const stacked = y1 - y0 >= TV.STACKED, at = y0 * stride;
		let stacks = false;

		out.fill(colors.usual.pixel[ntypes], at, at + width);
		for (let c = low; c < high;) {
			const isDense = dense[c >> 6] === 1, end = Math.min(high, (c >> 6) + 1 << 6);

			if (isDense && stacked)
				stacks = true;
			else if (isDense || !rects)
				this.mix(out, at, c, end, colors, !isDense);
			c = end;
		}
		for (let y = y0 + 1; y < y1; y++)
			out.copyWithin(y * stride, at, at + width);
		for (let c = low; stacks && c < high; c++)
			if (dense[c >> 6] === 1) {
				shares.weigh(c, weight);
				this.stack(out, stride, c, y0, y1, colors.usual, weight, ntypes + 1);
			}
	}

	// The shares of the cells [from, to) blended in linear light; outliers: they have their own color.
	mix(out, at, from, to, colors, outliers) {
		const { share, ntypes, edge, lines, mark } = this.shares, { linear, pixel } = colors.usual, { srgb } = TV;
		const groundR = linear[3 * ntypes], groundG = linear[3 * ntypes + 1], groundB = linear[3 * ntypes + 2];

		for (let c = from, i = from * ntypes; c < to; c++) {
			let r = 0, g = 0, b = 0, sum = 0;

			for (let t = 0, k = 0; t < ntypes; t++, i++, k += 3) {
				const w = Math.max(share[i], 0);

				sum += w;
				r += w * linear[k];
				g += w * linear[k + 1];
				b += w * linear[k + 2];
			}
			if (sum === 0)
				continue;
			let whole = (edge[c + 1] - edge[c]) * lines;

			if (outliers && mark[c] !== 0) {
				[r, g, b] = this.mixOutliers(c, colors, r, g, b);
			} else if (sum >= whole * (1 - 1e-9)) {
				let only = i - ntypes;

				// Of one type alone: its color as it is.
				while (only < i && share[only] !== sum)
					only++;
				if (only < i) {
					out[at + c] = pixel[only - i + ntypes];
					continue;
				}
			}
			if (sum > whole)
				whole = sum;
			const rest = whole - sum, scale = 16384 / whole;

			out[at + c] = 0xff000000 | srgb[(b + rest * groundB) * scale + 0.5 | 0] << 16
				| srgb[(g + rest * groundG) * scale + 0.5 | 0] << 8 | srgb[(r + rest * groundR) * scale + 0.5 | 0];
		}
	}

	mixOutliers(c, colors, r, g, b) {
		const { outlier, ntypes } = this.shares, own = colors.outlier.linear, usual = colors.usual.linear;

		for (let t = 0, k = 0; t < ntypes; t++, k += 3) {
			const w = outlier[c * ntypes + t];

			r += w * (own[k] - usual[k]);
			g += w * (own[k + 1] - usual[k + 1]);
			b += w * (own[k + 2] - usual[k + 2]);
		}
		return [r, g, b];
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
			const style = chart.style[i], color = (style & 1 ? colors.outlier : colors.usual).pixel[style >> 1];

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
	 * items [{row, item}], for texts and boundaries, the marks [{x, y0, y1, type}] of outliers that an image hides, and by row, where items have
	 * a part of its height, which blocks are dense: there they are not drawn at that part.
	 */
	paint(out, width, height, chart, begin, end, lines, hidden, room) {
		if (this.shares === null || this.shares.width !== width || this.shares.ntypes !== chart.types.length)
			this.shares = new TV.Shares(width, chart.types.length);
		const shares = this.shares, colors = this.colors(chart), wide = [], marks = [], dense = new Map();

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

			if (rects)
				dense.set(line.from, shares.dense.slice());

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
					marks.push({ x: c, y0, y1, type: shares.mark[c] - 1 });
		}
		return { wide, marks, dense };
	}

	// The ground between the rows.
	fillGaps(out, width, height, lines) {
		const ground = TV.pixel(TV.colors.ground());
		let y = 0;

		for (const line of [...lines, { y0: height, y1: height }]) {
			const from = TV.clamp(line.y0, 0, height);

			if (from > y)
				out.fill(ground, y * width, from * width);
			y = Math.max(y, TV.clamp(line.y1, 0, height));
		}
	}

	// A line that leaves the area: drawn whole beside it, then the part that is seen.
	clipped(out, width, height, line, colors, rects) {
		const tall = line.y1 - line.y0, whole = new Uint32Array(width * tall).fill(colors.usual.pixel[this.shares.ntypes]);
		const from = Math.max(line.y0, 0), to = Math.min(line.y1, height);

		this.line(whole, width, 0, tall, colors, rects);
		if (rects)
			this.rects(whole, width, this.chart, line.rows[0], this.hidden, 0, tall, colors);
		out.set(whole.subarray((from - line.y0) * width, (to - line.y0) * width), from * width);
	}
};
