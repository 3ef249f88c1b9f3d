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
		const time = figure.xTime(here, pointer.x);

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
				const y = figure.layout.rowY(place, row), value = TV.number(+(curve.scale.a + curve.scale.b * row).toPrecision(6));

				context.fillStyle = TV.colors.css(curve.color);
				context.beginPath();
				context.arc(x + 0.5, y, 3, 0, 7);
				context.fill();
				TV.flag(context, figure, place, x, y, value);
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

// Lines of a frame with a scale of values.
TV.curves = function (scene) {
	const { shape, styles } = scene;

	for (let i = 0; i < shape.kind.length; i++) {
		const frame = scene.frames[shape.frame[i]], style = styles[shape.style[i]];

		if (shape.kind[i] !== TV.POLYLINE || frame.high === undefined || shape.n[i] < 3 || style.class !== 'curve')
			continue;
		frame.curves = frame.curves || [];
		frame.curves.push({ first: shape.first[i], n: shape.n[i], color: style.stroke,
			scale: { a: frame.high, b: (frame.low - frame.high) / frame.rows } });
	}
};

// The row of a curve at a time; null outside it.
TV.curveAt = function (scene, curve, time) {
	const { x, y } = scene.point, end = curve.first + curve.n, k = TV.after(x, time, curve.first, end);

	if (k === curve.first || k === end)
		return null;
	return x[k] === x[k - 1] ? y[k - 1] : y[k - 1] + (time - x[k - 1]) / (x[k] - x[k - 1]) * (y[k] - y[k - 1]);
};
