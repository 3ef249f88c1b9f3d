// SPDX-License-Identifier: GPL-3.0-or-later
// Tasks in files beside the page, tile-NUMBER.js, of which those are loaded that the window needs: at most four. Where a
// tile has single tasks, these become the items of the chart, as if the page had them; else its shares are drawn.
'use strict';

TV.TILES = 4; // that are shown together
TV.KEPT = 64; // that stay in memory

TV.Tiles = class {
	constructor(data, scene) {
		const about = data.header.tiles, chart = scene.charts[about.chart];

		Object.assign(this, { data, scene, chart, loaded: new Map(), asked: new Map(), used: 0, strings: 0, problem: '' });
		this.rows = 256;
		this.numbers = 0;
		this.texts = 2 ** 31; // numbers of strings from here on are those of tiles
		this.levels = about.levels.map((trees, shift) => trees.map((text, k) => this.tree(text, shift, k)));
		this.kept = null; // the selected task: its item and values
		chart.covers = [];
		chart.rows.forEach((row, r) => {
			row.number = r;
		});
		chart.types.forEach((_, t) => {
			chart.type[t].count = (chart.type[t].count || 0) + about.count[t];
		});
	}

	// The tiles of a band of rows: {number, from, to (ns after the frame's begin), halves, above}.
	tree(text, shift, k) {
		const { begin, width } = this.data.header.tiles, origin = BigInt(begin) - this.chart.frame.begin;
		let at = 0;
		const read = (from, length, above) => {
			const kind = text[at++], tile = { from: Number(from), to: Number(from + length), shift, above, halves: [], number: -1 };

			tile.row = k * this.rows << shift;
			tile.end = Math.min(tile.row + (this.rows << shift), this.chart.rows.length);
			if (kind !== '.')
				tile.number = this.numbers++;
			if (kind === '1')
				tile.halves = [read(from, length / 2n, tile), read(from + length / 2n, length - length / 2n, tile)];
			return tile;
		};

		return read(origin, BigInt.asUintN(64, BigInt(width)), null);
	}

	// Those of a depth, or the last ones above it, that touch a window of time and rows [first, end).
	touching(trees, depth, { from, to, first, end }) {
		const found = [], walk = (tile, left) => {
			if (tile.number < 0 || tile.from > to || tile.to <= from || tile.row >= end || tile.end <= first)
				return;
			if (left === 0 || tile.halves.length === 0)
				found.push(tile);
			else
				tile.halves.forEach((half) => walk(half, left - 1));
		};

		trees.forEach((tile) => walk(tile, depth));
		return found;
	}

	// What a view shows of the chart.
	window(figure, view) {
		const { frame, rows } = this.chart, place = figure.laid().frames[frame.number], [y0, y1] = [place.top, place.top + place.height].map((y) => figure.layout.yRow(place, y));
		const first = Math.max(rows.findIndex(({ bottom }) => bottom > y0), 0), last = rows.findLastIndex((row) => row.y0 < y1);

		return { from: view.begin - frame.offset, to: view.end - frame.offset, first, end: Math.max(last, first) + 1 };
	}

	// The finest tiles of a window that are few enough.
	wanted(window) {
		const trees = this.levels.find((level) => this.touching(level, 0, window).length <= 2) || this.levels[this.levels.length - 1];
		let best = this.touching(trees, 0, window);

		for (let depth = 1; best.some(({ halves }) => halves.length > 0); depth++) {
			const next = this.touching(trees, depth, window);

			if (next.length > TV.TILES)
				break;
			best = next;
		}
		return best;
	}

	load({ number }) {
		if (!this.asked.has(number))
			this.asked.set(number, new Promise((resolve, reject) => {
				const script = TV.el('script', { src: `tile-${number}.js`, onerror: () => reject(new TV.Problem(`The file tile-${number}.js is missing: copy the whole folder.`)) });

				this.arrived = this.arrived || new Map();
				this.arrived.set(number, async (text) => {
					script.remove();
					try {
						this.keep(number, new TV.Data(await TV.unpack.bytes(text, () => {})));
						resolve();
					} catch (error) {
						reject(new TV.Problem(`The file tile-${number}.js is damaged.`));
					}
				});
				document.head.append(script);
			}).finally(() => this.asked.delete(number)));
		return this.asked.get(number);
	}

	// The columns of a tile; those that were not used for longest go.
	keep(number, data) {
		const names = ['item', 'row', 'style', 'gap', 'length', 'value', 'worker', 'job', 'top', 'bottom', 'at', 'share', 'marked', 'mark'];
		const tile = { ...data.header, columns: Object.fromEntries(names.map((name) => [name, data.column(name)])), used: ++this.used };

		this.loaded.set(number, tile);
		const spare = [...this.loaded].filter(([n]) => !this.roots.includes(n)).sort((a, b) => a[1].used - b[1].used);

		for (const [n] of spare.slice(0, Math.max(spare.length - TV.KEPT, 0)))
			this.loaded.delete(n);
	}

	// Loads what gives the picture of the whole.
	async start() {
		const whole = this.levels[this.levels.length - 1].filter(({ number }) => number >= 0);

		this.roots = whole.map(({ number }) => number);
		await Promise.all(whole.map((tile) => this.load(tile)));
		this.install(whole);
		// The strip over the figure always shows it.
		this.chart.whole = Object.assign(Object.create(this.chart), this.chart, { rows: this.chart.rows.map((row) => ({ ...row })) });
	}

	// Shows a view with what is loaded, and again with each tile that arrives.
	show(figure, view) {
		const wanted = this.wanted(this.window(figure, view)), missing = wanted.filter(({ number }) => !this.loaded.has(number));

		this.now = wanted;
		this.problem = '';
		this.install(wanted);
		figure.ask();
		for (const tile of missing)
			this.load(tile).catch((error) => {
				this.problem = error.message;
			}).then(() => {
				if (this.now !== wanted)
					return;
				this.install(wanted);
				figure.ask();
				TV.emit('tiles', this);
			});
		TV.emit('tiles', this);
	}

	// What state the picture is in, in words.
	text() {
		const shares = this.chart.covers.some(({ tile }) => tile.cells);

		return this.problem || (this.now.some(({ number }) => !this.loaded.has(number)) ? 'loading …'
			: shares ? `shares of types: zoom in${this.now.some(({ shift }) => shift > 0) ? ', also into rows (Alt and wheel),' : ''} to see single tasks` : 'single tasks');
	}

	// [tile, the part of time and rows that it is shown for]: the nearest loaded tile above each that is missing.
	install(wanted) {
		const covers = [];

		for (const want of wanted) {
			let from = want;

			while (from !== null && !this.loaded.has(from.number))
				from = from.above;
			const sources = from !== null ? [from] : this.levels[this.levels.length - 1].filter((root) => root.row < want.end && root.end > want.row && root.number >= 0);

			for (const source of sources) {
				const tile = this.loaded.get(source.number);

				tile.used = ++this.used;
				covers.push({ tile, source, from: want.from, to: want.to, row: Math.max(want.row, source.row), end: Math.min(want.end, source.end) });
			}
		}
		this.chart.covers = covers;
		this.items(covers.filter(({ tile }) => !tile.cells));
		for (const { tile, source } of covers)
			if (tile.cells && tile.lists === undefined)
				tile.lists = this.lists(tile, source);
	}

	// The single tasks of the covers as items of the chart, by row. A task that begins in the tile before is there; where that has
	// shares, or is another cover, it is cut.
	items(covers) {
		const { chart } = this, found = [], next = (cover, side, other) => covers.some((one) => one !== cover && one[other] === cover[side] && one.row === cover.row);

		for (const cover of covers) {
			const { tile } = cover, { item, row, gap, length } = tile.columns, joined = [next(cover, 'from', 'to'), next(cover, 'to', 'from')];
			let at = BigInt(tile.begin);

			for (let i = 0; i < item.length; i++) {
				const start = at + gap[i], stop = start + length[i];
				let begin = Number(start - chart.frame.begin), end = Number(stop - chart.frame.begin);

				at = stop;
				if (row[i] < cover.row || row[i] >= cover.end || begin >= cover.to || end < cover.from || (end === cover.from && begin < end)
					|| (begin < cover.from && joined[0]))
					continue;
				begin = Math.max(begin, cover.from);
				end = joined[1] ? end : Math.min(end, cover.to);
				found.push({ tile, i, item: item[i], row: row[i], begin, end, start, stop });
			}
		}
		found.sort((a, b) => a.row - b.row || a.item - b.item);
		const n = found.length, lanes = covers.some(({ tile }) => tile.columns.top !== null);
		const make = (Type, value) => Type.from(found, value);

		Object.assign(chart, {
			n, inverse: undefined, begin: make(Float64Array, ({ begin }) => begin), end: make(Float64Array, ({ end }) => end),
			style: make(Uint8Array, ({ tile, i }) => tile.columns.style[i]), row: make(Uint32Array, (_, i) => i),
			top: lanes ? make(Float32Array, ({ tile, i }) => tile.columns.top ? tile.columns.top[i] : 0) : undefined,
			bottom: lanes ? make(Float32Array, ({ tile, i }) => tile.columns.top ? tile.columns.bottom[i] : 1) : undefined,
		});
		let at = 0;

		chart.rows.forEach((row, r) => {
			row.first = at;
			while (at < n && found[at].row === r)
				at++;
			row.n = at - row.first;
		});
		chart.sums();
		this.table(found);
	}

	// What is known of these tasks, as the table `tasks` of the run; a selected one stays, also if it is shown no more.
	table(found) {
		const { data, chart } = this, run = `run${chart.run}.tasks.`, { selection } = TV.view || { selection: null };

		if (selection === null)
			this.kept = null;
		else if (this.shown && this.shown[selection.row])
			this.kept = this.shown[selection.row];
		const same = this.kept === null ? -1 : found.findIndex(({ item }) => item === this.kept.item), all = this.kept !== null && same < 0 ? [...found, this.kept] : found;

		if (this.kept !== null)
			selection.row = same < 0 ? found.length : same;
		this.shown = all;
		for (const name of [...data.made.keys()])
			if (name.startsWith(run))
				data.made.delete(name);
		for (let i = this.texts; i < this.texts + this.strings; i++)
			data.texts.delete(i);
		const bases = new Map();

		this.strings = 0;
		for (const { tile } of all)
			if (!bases.has(tile)) {
				bases.set(tile, this.texts + this.strings);
				tile.strings.forEach((text) => data.texts.set(this.texts + this.strings++, text));
			}
		const put = (name, type, values) => {
			if (data.has(run + name)) {
				data.header.columns[run + name].type = type;
				data.made.set(run + name, values);
			}
		};

		put('Start', 'i64', BigInt64Array.from(all, ({ start }) => start));
		put('End', 'i64', BigInt64Array.from(all, ({ stop }) => stop));
		for (const [name, column] of [['Value', 'value'], ['ResourceId', 'worker'], ['JobId', 'job']])
			put(name, 'u32', Uint32Array.from(all, ({ tile, i }) => tile.columns[column][i] === TV.NONE ? TV.NONE : bases.get(tile) + tile.columns[column][i]));
		TV.Graph.made = TV.Work.made = undefined;
	}

	// Shares by group of rows: {cells, types, shares (63: all)}; and outliers: {cells, types}.
	lists(tile, { from, to }) {
		const { at, share, marked, mark } = tile.columns, { cells } = tile, ntypes = this.chart.types.length, lists = [];
		const group = (g) => lists[g] || (lists[g] = { cell: [], type: [], share: [], marked: [], mark: [] });

		for (let k = 0; k < at.length; k++) {
			const list = group(Math.floor(at[k] / cells / ntypes));

			list.cell.push(at[k] % cells);
			list.type.push(Math.floor(at[k] / cells) % ntypes);
			list.share.push(share[k] / 63);
		}
		for (let k = 0; k < marked.length; k++) {
			const list = group(Math.floor(marked[k] / cells));

			list.marked.push(marked[k] % cells);
			list.mark.push(mark[k]);
		}
		tile.edges = Float64Array.from({ length: cells + 1 }, (_, c) => from + Math.floor((to - from) / cells) * c + Math.floor((to - from) % cells * c / cells));
		return lists;
	}
};

// Called by each file of a tile.
TV.tile = (number, text) => TV.tiles.arrived.get(number)(text);

// The shares of the tiles that cover a row of a chart.
TV.addCovers = function (shares, chart, row, hidden) {
	const r = row.number, { edge, width } = shares;

	for (const { tile, source, from, to, row: first, end } of chart.covers) {
		const list = tile.cells && r >= first && r < end ? tile.lists[(r - source.row) >> source.shift] : undefined;

		if (list === undefined)
			continue;
		const span = (c) => [Math.max(tile.edges[c], from, edge[0]), Math.min(tile.edges[c + 1], to, edge[width])];

		list.cell.forEach((c, k) => {
			const [b, e] = span(c), type = list.type[k];

			if (e > b && !hidden[2 * type])
				shares.addShare(b, e, type, list.share[k] * row.lanes);
		});
		list.marked.forEach((c, k) => {
			const [b, e] = span(c);

			if (e > b && !hidden[2 * list.mark[k]])
				shares.addOutlier(shares.cellOf((b + e) / 2), list.mark[k], 0);
		});
	}
};

// The line that says what is seen and what tiles do not have.
TV.tileNote = function (root) {
	const state = TV.el('span', { role: 'status' }), note = TV.el('p', { class: 'tv-note' }, state,
		' · tiles have no other panels, dependencies, tables, search and answer: these are in a report of a window, traceviz TRACE --begin T --end T -o FILE.html');

	root.append(note);
	TV.on('tiles', (tiles) => {
		state.textContent = tiles.text();
		document.documentElement.dataset.tvTiles = tiles.problem ? 'failed' : tiles.now.every(({ number }) => tiles.loaded.has(number)) ? 'ready' : 'loading';
	});
};
