// SPDX-License-Identifier: GPL-3.0-or-later
// The data of the file: text and gzip undone, then columns by name. README.md has the format.
'use strict';

TV.MISSING_INT = -(2n ** 63n);
TV.NONE = 0xffffffff;

TV.types = {
	u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, i32: Int32Array,
	i64: BigInt64Array, f32: Float32Array, f64: Float64Array,
};

// What is wrong with the browser or with the file, in words for its reader.
TV.Problem = class extends Error {};

TV.unpack = {
	// The bytes that a text has, 13 bits in two characters, lowest first; up to 6 bits at the end are one. In pieces of whole bytes.
	* pieces(text) {
		const piece = 16 << 16, value = new Uint8Array(128), encoder = new TextEncoder();

		for (let c = 33, v = 0; c < 127; c++)
			if (c !== 34 && c !== 60 && c !== 92)
				value[c] = v++;
		for (let i = 0; i < text.length; i += piece) {
			const from = encoder.encode(text.substring(i, i + piece)), n = from.length;
			const bytes = new Uint8Array((n >> 1) * 13 + (n & 1) * 6 >> 3);

			for (let k = 0, at = 0, bits = 0, have = 0; k < n; k += 2) {
				bits |= (k + 1 < n ? value[from[k]] + 91 * value[from[k + 1]] : value[from[k]]) << have;
				for (have += 13; have >= 8; have -= 8) {
					bytes[at++] = bits;
					bits >>>= 8;
				}
			}
			yield bytes;
		}
	},

	// The bytes of an ArrayBuffer. progress gets shares of 1.
	async bytes(text, progress) {
		const stream = new DecompressionStream('gzip'), writer = stream.writable.getWriter();
		const reader = stream.readable.getReader(), chunks = [];
		let size = 0, done = 0;
		const write = async () => {
			for (const piece of TV.unpack.pieces(text)) {
				await writer.write(piece);
				done += piece.length * 16 / 13;
				progress(Math.min(done / text.length, 1));
			}
			await writer.close();
		};
		const writing = write().catch(() => reader.cancel().catch(() => {}));

		for (;;) {
			const { value, done: end } = await reader.read();

			if (end)
				break;
			chunks.push(value);
			size += value.length;
		}
		await writing;
		const all = new Uint8Array(size);
		let at = 0;

		for (const chunk of chunks) {
			all.set(chunk, at);
			at += chunk.length;
		}
		return all;
	},

	// Undoes `split`: byte b of all values is together, lowest byte first; not stored where it is the same in all of them.
	join(bytes, n, size, same) {
		const out = new Uint8Array(n * size);

		for (let b = 0, from = 0; b < size; b++) {
			const all = same ? same[b] : -1;

			if (all < 0) {
				for (let i = 0, at = b; i < n; i++, at += size)
					out[at] = bytes[from + i];
				from += n;
			} else if (all > 0) {
				for (let at = b; at < out.length; at += size)
					out[at] = all;
			}
		}
		return out;
	},

	// Undoes `zigzag` and `delta` in place; 64 bits as pairs of 32, lower one first.
	zigzag(word, wide) {
		if (!wide) {
			for (let i = 0; i < word.length; i++)
				word[i] = word[i] >>> 1 ^ -(word[i] & 1);
			return;
		}
		for (let i = 0; i < word.length; i += 2) {
			const low = word[i], high = word[i + 1], sign = -(low & 1);

			word[i] = (low >>> 1 | high << 31) ^ sign;
			word[i + 1] = high >>> 1 ^ sign;
		}
	},
	delta(word, wide) {
		if (!wide) {
			for (let i = 1; i < word.length; i++)
				word[i] += word[i - 1];
			return;
		}
		for (let i = 2; i < word.length; i += 2) {
			const low = word[i] + word[i - 2];

			word[i] = low;
			word[i + 1] += word[i - 1] + (low > 0xffffffff ? 1 : 0);
		}
	},
	// Undoes `like`: adds the last value with the same key; key(place): a small number.
	like(word, wide, key, keys) {
		const last = new Int32Array(keys).fill(-1), n = wide ? word.length / 2 : word.length;

		for (let i = 0; i < n; i++) {
			const k = key(i), from = last[k];

			last[k] = i;
			if (from < 0)
				continue;
			if (!wide) {
				word[i] += word[from];
				continue;
			}
			const low = word[2 * i] + word[2 * from];

			word[2 * i] = low;
			word[2 * i + 1] += word[2 * from + 1] + (low > 0xffffffff ? 1 : 0);
		}
	},
	// Adds another column of 64 bits, or subtracts it; at: which of its values, TV.NONE: none.
	plus(word, other, at, minus, scale) {
		const of = scale ? TV.unpack.scaled(other, scale) : other, add = new Uint32Array(of.buffer, of.byteOffset, 2 * of.length);

		for (let i = 0; i < word.length; i += 2) {
			const from = at === null ? i : 2 * at[i / 2];

			if (at !== null && at[i / 2] === TV.NONE)
				continue;
			const low = minus ? word[i] - add[from] : word[i] + add[from];

			word[i] = low;
			word[i + 1] += minus ? -add[from + 1] - (low < 0 ? 1 : 0) : add[from + 1] + (low > 0xffffffff ? 1 : 0);
		}
	},

	// A multiple of numbers (i64) that a double holds; others stay.
	scaled(numbers, scale) {
		const word = new Int32Array(numbers.buffer, numbers.byteOffset, 2 * numbers.length), out = word.slice();

		for (let i = 0; i < word.length; i += 2) {
			const number = word[i + 1] * 4294967296 + (word[i] >>> 0), whole = Math.floor(scale * number), high = Math.floor(whole / 4294967296);

			if (Math.abs(number) < 2 ** 53) {
				out[i] = whole - high * 4294967296;
				out[i + 1] = high;
			}
		}
		return new BigInt64Array(out.buffer);
	},

	// Times (i64) minus an origin (BigInt ns), as doubles: exact below 2^53 ns. Missing ones: missing.
	relative(time, origin, missing) {
		const out = new Float64Array(time.length), word = new Int32Array(time.buffer, time.byteOffset, 2 * time.length);
		const low = Number(BigInt.asUintN(32, origin)), high = Number(origin >> 32n);

		for (let i = 0; i < out.length; i++)
			out[i] = missing !== undefined && word[2 * i + 1] === -0x80000000 && word[2 * i] === 0 ? missing
				: (word[2 * i + 1] - high) * 4294967296 + ((word[2 * i] >>> 0) - low);
		return out;
	},
	// Whether each number (i64) is not missing: 1 or 0.
	present(values) {
		const word = new Int32Array(values.buffer, values.byteOffset, 2 * values.length), out = new Uint8Array(values.length);

		for (let i = 0; i < out.length; i++)
			out[i] = word[2 * i + 1] === -0x80000000 && word[2 * i] === 0 ? 0 : 1;
		return out;
	},
	// The places of the numbers of a column (i64) in ascending order, equal ones in theirs, missing ones last: sorted by 16 bits at a time.
	sorted(values) {
		const n = values.length, key = TV.unpack.relative(values, values.find((value) => value !== TV.MISSING_INT) || 0n, Infinity);
		let min = Infinity, max = 0, from = new Uint32Array(n), to = new Uint32Array(n);

		for (let i = 0; i < n; i++) {
			from[i] = i;
			min = Math.min(min, key[i]);
			max = key[i] < Infinity ? Math.max(max, key[i]) : max;
		}
		for (let i = 0; i < n; i++)
			key[i] = Math.min(key[i], max + 1) - min;
		for (let unit = 1; unit <= max + 1 - min; unit *= 65536) {
			const digit = new Uint16Array(n), first = new Uint32Array(65537);

			for (let i = 0; i < n; i++) {
				digit[i] = Math.floor(key[i] / unit) % 65536;
				first[digit[i] + 1]++;
			}
			for (let d = 0; d < 65536; d++)
				first[d + 1] += first[d];
			for (let i = 0; i < n; i++)
				to[first[digit[from[i]]]++] = from[i];
			[from, to] = [to, from];
		}
		return from;
	},
	// Copies n numbers of 4 or 8 bytes: to the places to[] those from the places from[]; null: one after the other.
	copy(values, Type, n, to, from) {
		const out = new Type(n), a = new Uint32Array(values.buffer, values.byteOffset, values.byteLength / 4), b = new Uint32Array(out.buffer), wide = Type.BYTES_PER_ELEMENT / 4;

		for (let i = 0; i < n; i++) {
			const x = wide * (to === null ? i : to[i]), y = wide * (from === null ? i : from[i]);

			b[x] = a[y];
			if (wide === 2)
				b[x + 1] = a[y + 1];
		}
		return out;
	},

	// What is stored of a column, without its order and what is added then.
	stored(data, about) {
		const Type = about.of ? Uint32Array : TV.types[about.type], size = Type.BYTES_PER_ELEMENT;
		let bytes = TV.unpack.join(new Uint8Array(data.buffer, data.start + about.offset, about.bytes), about.n, size, about.same);
		const words = () => size === 2 ? new Uint16Array(bytes.buffer) : size === 1 ? bytes : new Uint32Array(bytes.buffer);

		for (const step of [...about.encoding].reverse()) {
			if (step === 'zigzag' || step === 'delta')
				TV.unpack[step](words(), size === 8);
			else if (step !== 'split')
				throw new TV.Problem(`This file has data in a form that its viewer does not know (${step}).`);
		}
		if (about.like) {
			const { key, none, n } = data.keys(about.like), order = data.column(about.order || about.likeAt || '');

			TV.unpack.like(words(), size === 8, order === null ? (i) => key[i] : (i) => order[i] === TV.NONE ? none : key[order[i]], n);
		}
		return new Type(bytes.buffer, 0, about.n);
	},
	column(data, about) {
		if (about.sort)
			return TV.unpack.sorted(data.column(about.sort));
		const Type = TV.types[about.type];
		let values = TV.unpack.stored(data, about);

		if (about.of) {
			const place = values, of = data.column(about.of), nowhere = about.type === 'u32';

			values = TV.unpack.copy(of, Type, about.n, null, place);
			for (let i = 0; nowhere && i < about.n; i++)
				if (place[i] === TV.NONE)
					values[i] = TV.NONE;
		}
		if (about.rank)
			TV.unpack.sorted(TV.unpack.stored(data, data.about(about.rank))).forEach((place, rank) => {
				values[place] += rank;
			});
		if (about.order)
			values = TV.unpack.copy(values, Type, about.n, data.column(about.order), null);
		for (const { name, at, minus, scale } of about.plus || [])
			TV.unpack.plus(new Uint32Array(values.buffer), data.column(name), at ? data.column(at) : null, minus, scale);
		return values;
	},
	// Columns that follow from others: of the graph of a run, predecessors before[k] of row i, k from first[i] to first[i + 1] - 1,
	// the last dependency, and where there is none, the row itself.
	made(data, name) {
		const [, run, which] = /^(run\d+)\.graph\.(first|before|last|alone)$/.exec(name) || [], of = (part) => data.column(`${run}.${part}`);

		if (which === undefined || !data.has(`${run}.graph.n`))
			return null;
		const count = of('graph.n'), n = count.length, first = which === 'first' ? new Uint32Array(n + 1) : of('graph.first');

		if (which === 'first') {
			for (let i = 0; i < n; i++)
				first[i + 1] = first[i] + count[i];
			return first;
		}
		if (which === 'before') {
			const order = of('job.order'), back = of('graph.back'), before = new Uint32Array(back.length);

			for (let place = 0, from = 0; place < n; place++) {
				const i = order === null ? place : order[place];

				for (let k = first[i]; k < first[i + 1]; k++, from++)
					before[k] = order === null ? place - back[from] : order[place - back[from] >>> 0];
			}
			return before;
		}
		if (which === 'alone')
			return of('graph.last').map((last, i) => last === TV.NONE ? i : TV.NONE);
		const before = of('graph.before'), late = of('graph.late'), last = new Uint32Array(n), ended = of('tasks.End'), ran = ended === null ? new Uint8Array(n) : TV.unpack.present(ended);
		const word = ended === null ? null : new Int32Array(ended.buffer, ended.byteOffset, 2 * n);
		const later = (a, b) => word[2 * a + 1] > word[2 * b + 1] || (word[2 * a + 1] === word[2 * b + 1] && word[2 * a] >>> 0 > word[2 * b] >>> 0);

		for (let i = 0; i < n; i++) {
			let best = TV.NONE;

			for (let k = first[i]; k < first[i + 1]; k++)
				if (ran[before[k]] && (best === TV.NONE || later(before[k], best)))
					best = before[k];
			last[i] = best + late[i];
		}
		return last;
	},
};

// The file: header, and columns by name, each undone when it is first asked for.
TV.Data = class {
	constructor(all) {
		const magic = new TextDecoder().decode(all.subarray(0, 8)), view = new DataView(all.buffer);

		if (magic !== 'TVHTML1\n')
			throw new TV.Problem('The data in this file have another version than its viewer.');
		const length = view.getUint32(8, true);

		this.header = JSON.parse(new TextDecoder().decode(all.subarray(12, 12 + length)));
		this.start = Math.ceil((12 + length) / 8) * 8;
		this.buffer = all.buffer;
		this.made = new Map();
		this.decoder = new TextDecoder();
		this.texts = new Map();
		for (const about of Object.values(this.header.columns))
			if (about.bytes && this.start + about.offset + about.bytes > all.length)
				throw new TV.Problem('This file is incomplete: data are missing at its end.');
	}

	has(name) {
		return name in this.header.columns;
	}

	about(name) {
		return this.header.columns[name];
	}

	// A typed array; null if there is none of that name.
	column(name) {
		if (!this.made.has(name))
			this.made.set(name, this.has(name) ? TV.unpack.column(this, this.about(name)) : TV.unpack.made(this, name));
		return this.made.get(name);
	}

	// Small numbers for the values of a column; none: that of no row; n: how many.
	keys(name) {
		const by = `${name} keys`;

		if (!this.made.has(by)) {
			const numbers = new Map([[TV.NONE, 0]]), values = this.column(name), key = new Uint32Array(values.length);

			for (let i = 0; i < key.length; i++) {
				if (!numbers.has(values[i]))
					numbers.set(values[i], numbers.size);
				key[i] = numbers.get(values[i]);
			}
			this.made.set(by, { key, none: 0, n: numbers.size });
		}
		return this.made.get(by);
	}

	string(i) {
		if (i === TV.NONE || i === undefined)
			return '';
		let text = this.texts.get(i);

		if (text === undefined) {
			const offset = this.column('strings.offset');

			text = this.decoder.decode(this.column('strings.bytes').subarray(offset[i], offset[i + 1]));
			this.texts.set(i, text);
		}
		return text;
	}

	// Times of a column (i64) minus an origin (BigInt ns), as doubles: exact below 2^53 ns.
	relative(name, origin) {
		const key = `${name}-${origin}`;

		if (!this.made.has(key))
			this.made.set(key, TV.unpack.relative(this.column(name), origin));
		return this.made.get(key);
	}

	// The columns of a table of a run: [{name, type, unit, meaning, column}], those that are in the file.
	table(run, table) {
		const about = (this.header.runs[run].tables || {})[table];

		return (about ? about.columns : []).map((entry) => ({ ...entry, column: `run${run}.${table}.${entry.name}` }))
			.filter((entry) => this.has(entry.column));
	}

	values(run, table, name) {
		return this.column(`run${run}.${table}.${name}`);
	}

	// One value of a table as its CSV has it; null if it is missing.
	raw(entry, row) {
		const about = this.about(entry.column), list = this.column(`${entry.column}.first`);
		const value = this.column(entry.column)[row];

		if (list !== null)
			return list[row] === list[row + 1] ? null : this.format(entry, row);
		if (value === undefined || value === TV.MISSING_INT || Number.isNaN(value) || (about.type === 'u32' && value === TV.NONE))
			return null;
		if (entry.type === 'time')
			return TV.milliseconds(value);
		if (about.type === 'u32' && !['int64', 'double'].includes(entry.type))
			return this.string(value);
		return entry.type === 'double' ? TV.shortest(value) : String(value);
	}

	// One value of a table as text; '' if it is missing.
	format(entry, row) {
		const about = this.about(entry.column), list = this.column(`${entry.column}.first`);
		const value = this.column(entry.column)[row];

		if (list !== null)
			return Array.from(this.column(entry.column).subarray(list[row], list[row + 1]), (s) => this.string(s)).join(' ');
		if (value === undefined || value === TV.MISSING_INT || Number.isNaN(value))
			return '';
		if (about.type === 'u32' && !['int64', 'double'].includes(entry.type))
			return value === TV.NONE ? '' : this.string(value);
		if (entry.type === 'time')
			return TV.instant(value);
		return entry.decimal ? String(value) : TV.number(value);
	}
};

// A double as the program writes it: from 1e-4 to 1e15 without an exponent, else with one of two digits or more.
TV.shortest = function (value) {
	const size = Math.abs(value);

	if (!Number.isFinite(value))
		return 'NA';
	if (Object.is(value, -0))
		return '-0';
	if ((size >= 1e-4 && size < 1e15) || size === 0)
		return String(value);
	const [digits, exponent] = value.toExponential().split('e');

	return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`;
};

TV.load = async function (progress) {
	const script = document.getElementById('tv-data');

	if (typeof DecompressionStream === 'undefined' || typeof BigInt64Array === 'undefined')
		throw new TV.Problem('This browser is too old for the interactive report: it needs Chromium 80, Firefox 113 or Safari 16.4.');
	if (script === null || document.getElementById('tv') === null)
		throw new TV.Problem('This file is incomplete.');
	const text = script.textContent.trim();
	let all;

	try {
		all = await TV.unpack.bytes(text, progress);
	} catch (error) {
		throw new TV.Problem(error instanceof RangeError ? 'This browser has too little memory for this report. Draw a window of the run (--begin, --end), or tiles (--tiles DIR).'
			: 'This file is incomplete or damaged: its data cannot be unpacked. Copy it again, or draw it again.');
	}
	if (all.length < 16)
		throw new TV.Problem('This file is incomplete or damaged: it has no data.');
	script.remove();
	return new TV.Data(all);
};
