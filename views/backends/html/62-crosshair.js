// SPDX-License-Identifier: GPL-3.0-or-later
// A line at the pointer's time through all panels, with the time and the value of each curve there.
'use strict';

TV.crosshair = function (figure, view, status) {
	const { scene } = figure;

	TV.curves(scene);
	figure.overlays.push((context) => {
		const { pointer } = figure, here = pointer && figure.layout.at(pointer.x, pointer.y);

		if (!here) {
			status.textContent = '';
			return;
		}
		const time = figure.xTime(here, pointer.x), values = [];

		for (const place of figure.layout.frames) {
			if (!place.frame.timed)
				continue;
			const x = Math.round(figure.timeX(place, time));

			context.fillStyle = figure.dark ? '#ffffff70' : '#00000060';
			context.fillRect(x, place.top, 1, place.height);
			for (const curve of place.frame.curves || []) {
				const row = TV.curveAt(scene, curve, time - place.frame.offset);

				if (row === null)
					continue;
				const y = figure.layout.rowY(place, row), value = curve.scale ? TV.number(+(curve.scale.a + curve.scale.b * row).toPrecision(4)) : '';

				context.fillStyle = TV.colors.css(curve.color);
				context.beginPath();
				context.arc(x + 0.5, y, 3, 0, 7);
				context.fill();
				if (value !== '') {
					TV.flag(context, figure, place, x, y, value);
					values.push(value);
				}
			}
		}
		const base = scene.base + BigInt(Math.round(time));

		status.textContent = `${TV.instant(base)}`;
	});
};

// A short text beside a point.
TV.flag = function (context, figure, place, x, y, text) {
	context.font = `11px ${TV.FONT}`;
	context.textBaseline = 'middle';
	const width = context.measureText(text).width + 8, left = x + 8 + width > place.left + place.width ? x - 6 - width : x + 7;
	const middle = TV.clamp(y, place.top + 7, place.top + place.height - 7);

	context.fillStyle = figure.dark ? '#20262ddd' : '#ffffffdd';
	context.fillRect(left, middle - 7, width, 14);
	context.fillStyle = TV.colors.css(0x1a1a1a);
	context.textAlign = 'left';
	context.fillText(text, left + 4, middle + 0.5);
};

// Lines that ascend in time are curves; the labels of their axis give the scale.
TV.curves = function (scene) {
	const { shape, styles, data } = scene;

	for (const part of scene.parts) {
		const labels = [];

		for (let i = part.first; part.timed && i < part.first + part.n; i++)
			if (shape.kind[i] === TV.TEXT && styles[shape.style[i]].class === 'tick-label') {
				const match = /^([-+]?[\d.]+(?:e[-+]?\d+)?)([kMGT]?)$/.exec(data.string(shape.first[i]).trim());

				if (match !== null)
					labels.push({ y: (shape.y0[i] + shape.y1[i]) / 2, value: match[1] * 1000 ** ['', 'k', 'M', 'G', 'T'].indexOf(match[2]) });
			}
		// Labels at the ends of an axis are moved into it; ticks are where the values are.
		const ticks = TV.ticksOf(scene, part);

		labels.sort((a, b) => a.y - b.y);
		if (ticks.length === labels.length)
			labels.forEach((label, k) => {
				label.y = ticks[k];
			});
		for (let i = part.first; part.timed && i < part.first + part.n; i++) {
			const frame = scene.frames[shape.frame[i]], style = styles[shape.style[i]];

			if (shape.kind[i] !== TV.POLYLINE || !frame.timed || frame.chart || shape.n[i] < 3 || style.class !== 'curve')
				continue;
			frame.curves = frame.curves || [];
			frame.curves.push({ first: shape.first[i], n: shape.n[i], color: style.stroke, scale: TV.scaleOf(frame, labels) });
		}
	}
};

// Heights of the ticks beside the frames of a part, from the top.
TV.ticksOf = function (scene, part) {
	const { shape, styles } = scene, heights = [];

	for (let i = part.first; i < part.first + part.n; i++) {
		if (shape.frame[i] !== 0 || shape.kind[i] !== TV.POLYLINE || styles[shape.style[i]].class !== 'tick')
			continue;
		const box = scene.box(i);

		if (box[1] === box[3])
			heights.push(box[1]);
	}
	return heights.sort((a, b) => a - b);
};

TV.scaleOf = function (frame, labels) {
	const own = labels.filter((label) => label.y >= frame.y - 4 && label.y <= frame.y + frame.height + 4).sort((a, b) => a.y - b.y);

	if (own.length < 2)
		return null;
	const first = own[0], last = own[own.length - 1], row = (y) => (y - frame.y) / frame.height * frame.rows;
	const b = (last.value - first.value) / (row(last.y) - row(first.y));

	return { a: first.value - b * row(first.y), b };
};

// The row of a curve at a time; null outside it.
TV.curveAt = function (scene, curve, time) {
	const { x, y } = scene.point, end = curve.first + curve.n, k = TV.after(x, time, curve.first, end);

	if (k === curve.first || k === end)
		return null;
	return x[k] === x[k - 1] ? y[k - 1] : y[k - 1] + (time - x[k - 1]) / (x[k] - x[k - 1]) * (y[k] - y[k - 1]);
};
