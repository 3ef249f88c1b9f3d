// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of the figure: what fits into an item, and what is written beside the frames, so that the pointer finds it.
'use strict';

// What can be written into an item, the most informative text first.
TV.itemTexts = function (chart, item) {
	const type = chart.types[chart.style[item] >> 1].name, job = chart.tasks ? TV.valueOf(chart.run, 'JobId', chart.row[item]) : '';

	return job === '' ? [type] : [`${type} ${job}`, type];
};

TV.fitText = function (context, texts, x, y, width) {
	const text = texts.map(TV.visible).find((t) => t.length <= width && context.measureText(t).width <= width);

	if (text !== undefined)
		context.fillText(text, x, y);
};

// Texts beside the frames, as they were drawn last.
TV.Written = class {
	constructor() {
		this.all = [];
	}

	// room: its width at most, pixels.
	add({ font, textAlign }, one) {
		this.all.push({ ...one, font, align: textAlign });
	}

	// The one at a point of the page, and which of its letters: [text, k]; ['', 0]: there is none.
	at(context, x, y) {
		const width = (text) => context.measureText(text).width;

		for (const { text, font, align, room, size, x: at, y: base } of this.all) {
			if (y < base - size || y > base + 0.4 * size)
				continue;
			context.font = font;
			const all = width(text), scale = Math.min(1, room / all), left = at - all * scale * { left: 0, center: 0.5, right: 1 }[align];

			if (x < left || x >= left + all * scale)
				continue;
			let k = 0;

			while (k + 1 < text.length && left + width(text.slice(0, k + 1)) * scale <= x)
				k++;
			return [text, k];
		}
		return ['', 0];
	}
};
