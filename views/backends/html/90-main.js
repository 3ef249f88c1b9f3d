// SPDX-License-Identifier: GPL-3.0-or-later
// Starts the viewer.
'use strict';

TV.start = async function () {
	const root = document.getElementById('tv'), page = document.documentElement, fixed = document.getElementById('tv-static');
	const bar = TV.el('div', { class: 'tv-progress', role: 'progressbar', 'aria-label': 'unpacking' }, TV.el('i'));

	page.dataset.tvState = 'loading';
	document.body.prepend(bar);
	try {
		TV.data = await TV.load((share) => {
			bar.firstChild.style.width = `${Math.round(100 * share)}%`;
		});
		await TV.loadFont(TV.data.header.scene.font);
		TV.scene = new TV.Scene(TV.data);
		// Several runs without a title are called by their labels.
		if (TV.data.header.runs.length > 1 && TV.data.header.title === 'trace')
			document.title = TV.data.header.runs.map((run) => TV.visible(run.label)).join(', ');
		if (TV.data.header.tiles) {
			TV.tiles = new TV.Tiles(TV.data, TV.scene);
			await TV.tiles.start();
		}
		TV.view = new TV.View(TV.scene);
		if (TV.data.header.answer !== undefined)
			TV.words = new TV.Words(TV.data.header.answer.glossary);
		const status = TV.bar(root, TV.view);

		TV.legend(root, TV.view);
		const figure = TV.el('div', { class: 'tv-figure' }), body = TV.el('div', { class: 'tv-body' }, figure);

		root.append(body);
		TV.figure = new TV.Figure(figure, TV.scene, TV.view);
		TV.taskOverlay(TV.figure, TV.view);
		TV.input(TV.figure, TV.view);
		TV.groupToggles(TV.figure, TV.view);
		TV.tooltip(root, TV.figure, TV.view);
		if (TV.words !== null)
			TV.words.watch(TV.figure);
		if (TV.tiles) {
			TV.tileNote(root);
			for (const what of ['window', 'layout'])
				TV.on(what, () => TV.tiles.show(TV.figure, TV.view));
		} else {
			TV.dock(body, root, TV.view);
			TV.jumps(TV.figure, TV.view);
			TV.answer(body, TV.figure, TV.view);
			TV.saveMenu(root, TV.figure, TV.view);
		}
		TV.crosshair(TV.figure, TV.view, status);
		TV.keyboard(root, TV.figure, TV.view);
		TV.key(['?'], 'these keys', () => TV.help());
		addEventListener('hashchange', () => TV.view.read(location.hash.slice(1)));
		page.dataset.tvState = 'running';
		fixed.hidden = true;
		TV.view.read(location.hash.slice(1));
		TV.figure.frame();
		page.dataset.tvState = 'ready';
	} catch (error) {
		page.dataset.tvState = 'failed';
		root.replaceChildren(TV.el('p', { class: 'tv-problem', role: 'alert' }, error instanceof TV.Problem ? error.message
			: `The viewer failed: ${error.message}. The picture below is what traceviz draws of the trace.`));
		if (!(error instanceof TV.Problem))
			throw error;
	} finally {
		bar.remove();
	}
};

// Triangles beside panels and groups of rows close and open them.
TV.groupToggles = function (figure, view) {
	TV.on('press', ({ at }) => {
		const near = (spot) => spot && Math.abs(spot.x - at.x) < 10 && Math.abs(spot.y - at.y) < 9;

		for (const place of figure.laid().frames) {
			const group = (place.toggles || []).find(near);

			if (near(place.panel)) {
				view.togglePanel(place.frame.name);
				return;
			}
			if (group !== undefined && place.height > 1) {
				view.toggleGroup(group.key);
				return;
			}
		}
	});
	TV.key(['c'], 'collapse or open all groups of rows', () => {
		const keys = new Set(figure.laid().frames.flatMap((place) => place.groups.map((group) => group.key)));

		view.collapsed = view.collapsed.size > 0 ? new Set() : keys;
		view.changed('layout');
	});
};

if (document.readyState === 'loading')
	addEventListener('DOMContentLoaded', TV.start);
else
	TV.start();
