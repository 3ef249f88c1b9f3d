// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse, touch and keys. Keys are in one list, which the help shows.
'use strict';

TV.keys = []; // [{keys: [...], text, run}]

TV.key = function (keys, text, run) {
	TV.keys.push({ keys, text, run });
};

TV.input = function (figure, view) {
	const { overlay, ruler, scroll } = figure;
	let drag = null;
	const point = (event) => {
		const box = overlay.getBoundingClientRect();

		return { x: event.clientX - box.left, y: event.clientY - box.top + scroll.scrollTop };
	};

	// Wheel and pinch: time at the pointer; with Alt, rows; with Shift or sideways, along.
	scroll.addEventListener('wheel', (event) => {
		const at = point(event), place = figure.layout && figure.layout.at(at.x, at.y);

		if (!place) {
			const gutter = figure.layout && figure.layout.at(Math.max(at.x, (figure.layout.frames[1] || { left: 0 }).left + 1), at.y);

			if (gutter && view.rows.has(gutter.frame.number)) {
				event.preventDefault();
				TV.scrollRows(figure, view, gutter, event.deltaY / 600);
			}
			return;
		}
		event.preventDefault();
		const lines = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
		const dx = event.deltaX * lines, dy = event.deltaY * lines;

		if (event.altKey)
			TV.zoomRows(figure, view, place, at.y, Math.exp(dy * 0.002));
		else if (event.shiftKey)
			view.pan((dy + dx) / place.width);
		else if (Math.abs(dx) > Math.abs(dy))
			view.pan(dx / place.width);
		else
			view.zoom(figure.xTime(place, at.x), Math.exp(TV.clamp(dy, -300, 300) * (event.ctrlKey ? 0.01 : 0.0022)));
	}, { passive: false });

	// Dragging shows the region; with Shift or the middle button it moves the window; with Alt or Ctrl it marks.
	const touches = new Map();

	overlay.addEventListener('pointerdown', (event) => {
		const at = point(event), place = figure.layout && figure.layout.at(at.x, at.y);

		scroll.focus({ preventScroll: true });
		touches.set(event.pointerId, at);
		if (touches.size === 2) {
			drag = { pinch: true };
			return;
		}
		if (!place || event.button > 1) {
			TV.emit('press', { at, event });
			return;
		}
		overlay.setPointerCapture(event.pointerId);
		event.preventDefault();
		drag = {
			place, from: at, to: at, begin: view.begin, end: view.end, moved: false,
			what: event.shiftKey || event.button === 1 || event.pointerType === 'touch' ? 'pan' : event.altKey || event.ctrlKey || event.metaKey ? 'mark' : 'zoom',
		};
	});
	overlay.addEventListener('pointermove', (event) => {
		const at = point(event);

		if (drag !== null && drag.pinch) {
			TV.pinch(figure, view, touches, event.pointerId, at);
			return;
		}
		figure.pointer = at;
		if (drag === null) {
			TV.emit('pointer', { at, event });
			figure.ask(true);
			return;
		}
		drag.to = at;
		if (!drag.moved && Math.abs(at.x - drag.from.x) < 4 && Math.abs(at.y - drag.from.y) < 4)
			return;
		if (!drag.moved && drag.what === 'pan')
			view.remember();
		if (!drag.moved)
			TV.emit('pointer', { at: null, event });
		drag.moved = true;
		if (drag.what === 'pan') {
			const by = (drag.from.x - at.x) / drag.place.width * (drag.end - drag.begin);

			view.show(drag.begin + by, drag.end + by, false);
		} else if (drag.what === 'mark') {
			const [begin, end] = [drag.from, at].map((p) => TV.snap(figure, drag.place, p)).sort((a, b) => a - b);

			view.mark({ begin, end, ...TV.rowsBetween(figure, drag.place, drag.from.y, at.y) });
		}
		figure.ask(true);
	});
	const up = (event) => {
		const was = drag;

		touches.delete(event.pointerId);
		drag = null;
		if (was === null || was.pinch)
			return;
		if (!was.moved) {
			if (event.type === 'pointerup')
				TV.emit('click', { at: was.from, event });
			return;
		}
		if (was.what === 'zoom' && event.type === 'pointerup' && Math.abs(was.to.x - was.from.x) >= 4) {
			const times = [was.from.x, was.to.x].map((x) => figure.xTime(was.place, x)).sort((a, b) => a - b);

			view.show(times[0], times[1]);
		}
		figure.ask(true);
	};

	overlay.addEventListener('pointerup', up);
	overlay.addEventListener('pointercancel', up);
	overlay.addEventListener('pointerleave', (event) => {
		if (drag !== null)
			return;
		figure.pointer = null;
		TV.emit('pointer', { at: null, event });
		figure.ask(true);
	});

	// The region that is being dragged, and the marked one with its length.
	figure.overlays.push((context) => {
		for (const place of figure.layout.frames) {
			if (!place.frame.timed)
				continue;
			context.fillStyle = figure.dark ? '#ffffff22' : '#00000014';
			if (drag !== null && drag.moved && drag.what === 'zoom') {
				const by = place.left - drag.place.left, x0 = Math.min(drag.from.x, drag.to.x) + by, x1 = Math.max(drag.from.x, drag.to.x) + by;

				context.fillRect(Math.max(x0, place.left), place.top, Math.min(x1, place.left + place.width) - Math.max(x0, place.left), place.height);
			}
			if (view.region === null)
				continue;
			const x0 = TV.clamp(figure.timeX(place, view.region.begin), place.left, place.left + place.width);
			const x1 = TV.clamp(figure.timeX(place, view.region.end), place.left, place.left + place.width);

			context.fillStyle = figure.dark ? '#f4d35e2a' : '#f2b50026';
			for (const [y0, y1] of TV.markedRows(figure, place))
				context.fillRect(x0, y0, x1 - x0, y1 - y0);
		}
		const first = figure.layout.frames.find((place) => place.frame.timed && place.height > 1);

		if (view.region !== null && first !== undefined && view.region.end >= view.begin && view.region.begin <= view.end)
			TV.measure(context, figure, first, view.region.begin, TV.clamp(view.region.end, view.begin, view.end), first.top + 10, view.region.end - view.region.begin);
		if (drag !== null && drag.moved && drag.what === 'zoom')
			TV.measure(context, figure, drag.place, figure.xTime(drag.place, drag.from.x), figure.xTime(drag.place, drag.to.x), drag.to.y);
	});

	// The ruler: a press moves the window there, or drags it.
	ruler.addEventListener('pointerdown', (event) => {
		ruler.setPointerCapture(event.pointerId);
		TV.fromOverview(figure, view, event, true);
	});
	ruler.addEventListener('pointermove', (event) => {
		if (event.buttons === 1)
			TV.fromOverview(figure, view, event, false);
	});

	document.addEventListener('keydown', (event) => {
		const inField = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);

		if (event.ctrlKey || event.metaKey || event.altKey || (inField && event.key !== 'Escape'))
			return;
		const known = TV.keys.find((entry) => entry.keys.includes(event.key) || entry.keys.includes(event.key.toLowerCase()));

		if (known === undefined || (event.key === 'Enter' && event.target !== document.body) || document.querySelector('dialog[open]') !== null)
			return;
		event.preventDefault();
		known.run(event);
	});
	const middle = () => {
		const place = figure.pointer && figure.laid().at(figure.pointer.x, figure.pointer.y);

		return place ? figure.xTime(place, figure.pointer.x) : (view.begin + view.end) / 2;
	};

	TV.key(['w', '+', '='], 'zoom in at the pointer', () => view.zoom(middle(), 0.75));
	TV.key(['s', '-'], 'zoom out', () => view.zoom(middle(), 1 / 0.75));
	TV.key(['a', 'ArrowLeft'], 'earlier', () => view.pan(-0.15));
	TV.key(['d', 'ArrowRight'], 'later', () => view.pan(0.15));
	TV.key(['ArrowUp'], 'up', () => TV.upDown(figure, view, -1));
	TV.key(['ArrowDown'], 'down', () => TV.upDown(figure, view, 1));
	TV.key(['f'], 'show the selected task or the marked region', () => view.fit());
	TV.key(['0', 'Home'], 'show everything', () => view.reset());
	TV.key(['[', 'Backspace'], 'back to the window before', () => view.back());
	TV.key([']'], 'forward again', () => view.forward());
};

// A length of time between two points, written beside the pointer.
TV.measure = function (context, figure, place, from, to, y, length = Math.abs(to - from)) {
	const text = TV.duration(length), x = figure.timeX(place, to);

	context.font = `bold 11px ${TV.FONT}`;
	context.textAlign = to < from ? 'left' : 'right';
	context.textBaseline = 'middle';
	const width = context.measureText(text).width + 8, left = to < from ? x + 4 : x - 4 - width;

	context.fillStyle = TV.colors.css(0xffffff);
	context.fillRect(left, y - 9, width, 18);
	context.fillStyle = TV.colors.css(0x1a1a1a);
	context.textAlign = 'left';
	context.fillText(text, left + 4, y + 1);
};

// The time at a point: the edge of an item of the row there, if one is near.
TV.snap = function (figure, place, { x, y }) {
	const time = figure.xTime(place, x), hit = figure.hit(x, y), near = 6 * (figure.view.end - figure.view.begin) / place.width;

	if (hit === null || hit.r < 0)
		return time;
	const { chart } = hit, { offset } = place.frame, [first, last] = chart.range(chart.rows[hit.r], time - offset - near, time - offset + near);
	let best = time, distance = near;

	for (let i = first; i < last; i++)
		for (const edge of [chart.begin[i] + offset, chart.end[i] + offset])
			if (Math.abs(edge - time) < distance) {
				distance = Math.abs(edge - time);
				best = edge;
			}
	return best;
};

// {rows} of the workers between two heights, as a region has them; {}: it is one row, or none of workers, so all are meant.
TV.rowsBetween = function (figure, place, from, to) {
	const { chart } = place.frame, [first, last] = [from, to].map((y) => figure.layout.yRow(place, y)).sort((a, b) => a - b);
	const rows = chart && chart.tasks && !TV.tiles ? chart.rows.filter((row) => row.type !== '' && row.bottom > first && row.y0 < last) : [];
	const numbers = rows.length < 2 ? [] : rows.map(({ name }) => TV.Work.of(chart.run).number(name)).filter((w) => w >= 0);

	return numbers.length > 0 ? { rows: { run: chart.run, workers: new Set(numbers) } } : {};
};

// The heights [y0, y1] of the marked region in a place: of its rows where it has some that are there, else all.
TV.markedRows = function (figure, place) {
	const { rows } = figure.view.region, { chart } = place.frame;
	const own = !rows || !chart || !chart.tasks || chart.run !== rows.run ? [] : chart.rows.filter((row) => row.type !== '' && rows.workers.has(TV.Work.of(rows.run).number(row.name)));

	return own.length === 0 ? [[place.top, place.top + place.height]] : own.map((row) => [figure.layout.rowY(place, row.y0), figure.layout.rowY(place, row.bottom)]);
};

// Rows of a frame: as shares of its lines.
TV.zoomRows = function (figure, view, place, y, factor) {
	const [from, to] = view.rows.get(place.frame.number) || [0, 1], at = from + (y - place.top) / place.height * (to - from);

	view.showRows(place.frame.number, at - (at - from) * factor, at + (to - at) * factor);
};

TV.scrollRows = function (figure, view, place, by) {
	const [from, to] = view.rows.get(place.frame.number) || [0, 1], length = to - from;
	const first = TV.clamp(from + by * length, 0, 1 - length);

	view.showRows(place.frame.number, first, first + length);
};

// Rows, where they are zoomed; else the page.
TV.upDown = function (figure, view, sign) {
	const place = figure.pointer && figure.laid().at(figure.pointer.x, figure.pointer.y);

	if (place && view.rows.has(place.frame.number))
		TV.scrollRows(figure, view, place, 0.15 * sign);
	else
		figure.scroll.scrollBy(0, 60 * sign);
};

TV.pinch = function (figure, view, touches, id, at) {
	const other = [...touches].find(([key]) => key !== id), before = touches.get(id);
	const place = other && figure.layout.at((at.x + other[1].x) / 2, (at.y + other[1].y) / 2);

	touches.set(id, at);
	if (!place)
		return;
	const was = Math.max(Math.abs(before.x - other[1].x), 8), now = Math.max(Math.abs(at.x - other[1].x), 8);

	view.zoom(figure.xTime(place, (at.x + other[1].x) / 2), was / now);
	view.pan((before.x - at.x) / 2 / place.width);
};

TV.fromOverview = function (figure, view, event, press) {
	const box = figure.ruler.getBoundingClientRect(), x = event.clientX - box.left, { layout, scene } = figure;
	const column = layout.columns.find((c) => x >= layout.x(c.x) - 8 && x <= layout.x(c.end) + 8);

	if (column === undefined)
		return;
	const left = layout.x(column.x), time = scene.begin + (x - left) / (layout.x(column.end) - left) * (scene.end - scene.begin);

	if (press) {
		view.remember();
		figure.grip = time >= view.begin && time <= view.end ? time - view.begin : (view.end - view.begin) / 2;
	}
	view.show(time - figure.grip, time - figure.grip + view.end - view.begin, false);
};
