// SPDX-License-Identifier: GPL-3.0-or-later
// The answer beside the figure: what `traceviz diagnose` prints, its findings, and its words with their meaning. A
// finding shows in the figure what its picture (a command) draws: window, tasks, critical path, outliers, idle times
// and the chain behind them.
'use strict';

// What an expression `Column == text and Start >= MS and ...`, with quotes or without, describes: {test(row), during: [begin, end] of the time that it names, ns, or
// null, values: texts by column}; null: it has another form.
TV.described = function (run, expression) {
	const terms = expression.split(' and ').map((term) => /^(?:(\w+) == (?:"([^"]*)"|'([^']*)'|(\w+))|(Start|End) ([<>]=?) (-?\d+\.\d{6}))$/.exec(term)), known = TV.data.table(run, 'tasks');
	const edges = [-Infinity, Infinity], values = new Map();
	const tests = terms.map((term) => {
		const entry = term && known.find(({ name }) => name === (term[1] || term[5]));

		if (entry === undefined || term === null)
			return null;
		if (term[1] !== undefined) {
			const text = term[2] ?? term[3] ?? term[4];

			values.set(term[1], text);
			return (row) => TV.data.format(entry, row) === text;
		}
		const sign = term[6][0] === '<' ? -1n : 1n, limit = BigInt(term[7].replace('.', '')) * sign, equal = term[6].length > 1, times = TV.data.values(run, 'tasks', term[5]);

		edges[sign > 0n ? 0 : 1] = Number(BigInt(term[7].replace('.', '')) - TV.scene.base);
		return (row) => sign * times[row] > limit || (equal && sign * times[row] === limit);
	});

	return tests.includes(null) ? null : { test: (row) => tests.every((test) => test(row)), during: edges.every(Number.isFinite) ? edges : null, values };
};

// Causes of idle time that findings with another name are about.
TV.causesOfFinding = { submission: 'not-submitted', transfers: 'data', messages: 'mpi', 'serial-step': 'dependencies', 'fixed-order': 'runtime', 'coarse-tasks': 'drain', 'fine-tasks': 'runtime', 'scarce-idle': null };

// The MPI calls of which a finding says how long a rank is in them: by chart, marks of its items; null: there are none.
TV.callsOf = function (words) {
	const [, rank, call, site] = /Rank (.+?) is in (\S+)(?: at (.+?))? for [\d.]+ /.exec(words.join(' ')) || [], calls = new Map();

	for (const chart of rank === undefined ? [] : TV.scene.charts.filter((one) => one.label && one.run === 0))
		for (const row of chart.rows.filter(({ node }) => node === rank))
			for (let i = row.first; i < row.first + row.n; i++)
				if (TV.data.string(chart.label[i]).startsWith(site === undefined ? `${call}, ` : `${call}, ${site}, `)) {
					if (!calls.has(chart))
						calls.set(chart, new Uint8Array(chart.n));
					calls.get(chart)[i] = 1;
				}
	return calls.size === 0 ? null : calls;
};

// What a finding shows: {id, begin, end, during: [begin, end] of a time that it is about, or null, rows: marks of tasks or null, path, gaps:
// [gap], next: rows of tasks after the longest, others: whether the gaps are those of other nodes than the tasks, calls: TV.callsOf,
// task: {run, row} or null}.
TV.planOf = function (finding) {
	const words = [finding.picture, / -o \S+\.svg$/.test(finding.command) ? finding.command : ''].flatMap(TV.shellWords), { base } = TV.scene, run = 0, work = TV.Work.of(run), option = (name) => {
		const at = words.indexOf(name);

		return at < 0 ? null : words[at + 1];
	};
	const ns = (text, other) => text === null ? other : Number(BigInt(text.replace(/\.?(\d{6})$/, '$1')) - base), expression = option('--highlight');
	const described = expression === null ? null : TV.described(run, expression);
	const test = /outliers$/.test(finding.id) || /^traceviz outliers /.test(finding.command) ? TV.isOutlier(run) : described && described.test, others = finding.id === 'node-imbalance' && described !== null;
	const begin = ns(option('--begin'), TV.scene.begin), end = ns(option('--end'), TV.scene.end);
	const wanted = TV.causesOfFinding[finding.id] === undefined ? finding.id : TV.causesOfFinding[finding.id], cause = work.causes.indexOf(wanted);
	const tail = finding.id === 'long-tail', all = /\bidle-causes\b/.test(words.join(' ')) && (cause >= 0 || wanted === null || tail);
	// Those causes; after the last task of a worker, all but waits of ready tasks.
	const about = work.causes.map((name) => others || wanted === null || (tail ? name !== 'elsewhere' : name === wanted)), gaps = [], node = others ? described.values.get('Node') : null;
	let longest = []; // [gap, ns of it], of those before a task

	for (let g = 0; (all || others) && g < work.gap.n; g++) {
		let ns = 0;

		if (work.gap.begin[g] >= end || work.gap.end[g] <= begin || (tail && work.gap.next[g] !== TV.NONE)
			|| (others && (work.workers[work.gap.worker[g]].nodeName === node || work.gap.end[g] - work.gap.begin[g] < 0.01 * (work.span[1] - work.span[0]))))
			continue;
		work.causesOf(g, -Infinity, Infinity, (c, from, to) => {
			ns += about[c] ? to - from : 0;
		});
		if (ns === 0)
			continue;
		gaps.push(g);
		if (!others && work.gap.next[g] !== TV.NONE && (longest.length < 3 || ns > longest[2][1]))
			longest = [...longest, [g, ns]].sort((one, other) => other[1] - one[1]).slice(0, 3);
	}
	// The tasks for which the longest ended; at the end of the run, its last task.
	const next = longest.map(([g]) => work.gap.next[g]);
	let row = next.length > 0 ? next[0] : -1;

	if (tail || finding.id === 'coarse-tasks')
		row = work.counted.reduce((best, counted, i) => counted && (best < 0 || work.end[i] > work.end[best]) ? i : best, -1);
	return {
		id: finding.id, begin, end, gaps, next, others, during: described && described.during, calls: TV.callsOf(finding.words), rows: test === null ? null : Uint8Array.from({ length: work.n }, (_, i) => work.counted[i] && test(i) ? 1 : 0),
		path: option('--spacetime.observed') !== null || /critical-path|serial$/.test(`${finding.command} ${finding.id}`), task: row < 0 ? null : { run, row },
	};
};

// What of a finding is marked in the figure, and buttons that go to the longest of that.
TV.markedLines = function (view, { id, rows, gaps, next, others, during, calls, path, task }) {
	const work = TV.Work.of(0), whole = work.whole || TV.Graph.of(0).job, lines = [], count = (n, name) => `${TV.number(n)} ${name}${n === 1 ? '' : 's'}`;
	const longest = (all, length) => all.slice().sort((a, b) => length(b) - length(a)).slice(0, 3), length = (row) => work.end[row] - work.start[row];
	const on = (all) => [...new Set(all)].length > 3 ? count(new Set(all).size, 'worker') : [...new Set(all)].join(', '), colon = (n) => n === 1 ? ':' : ', the longest:';
	const line = (text, buttons) => lines.push(TV.el('div', { class: 'tv-links' }, TV.el('span', {}, text), ...buttons.map(([name, go]) => TV.el('button', { type: 'button', onclick: go }, name))));
	const tasks = (text, all) => line(text, all.map((row) => [TV.nameOf({ run: 0, row }), () => TV.goTo(view, { run: 0, row })]));
	const counted = (all) => count(whole ? new Set(all.map((row) => whole[row])).size : all.length, 'task'); // with several executions or segments they are one
	const marked = rows === null ? [] : Array.from(rows.keys()).filter((row) => rows[row]);

	if (marked.length > 0) {
		const text = `Marked: ${counted(marked)} on ${on(marked.map((row) => work.workers[work.worker[row]].name))}${during === null ? '' : ` from ${TV.duration(during[0] + Number(TV.scene.base))} to ${TV.duration(during[1] + Number(TV.scene.base))}`}`;
		// Where it is not their length that costs time.
		const waited = id === 'exclusive-access' ? (row) => (work.before(row) || { length: 0 }).length : null;

		if (others)
			line(text, []);
		else if (waited !== null && marked.some((row) => waited(row) > 0))
			tasks(`${text}, the longest idle times before:`, longest(marked.filter((row) => waited(row) > 0), waited));
		else
			tasks(`${text}${colon(marked.length)}`, longest(marked, length));
	}
	if (path) {
		const own = [...new Set(TV.criticalPath(0).map(({ row }) => row).filter((row) => work.counted[row]))]; // without messages

		tasks(`Marked: the critical path, ${counted(own)}${colon(own.length)}`, longest(own, length));
	}
	if (task !== null && work.end[task.row] === work.span[1])
		tasks('The last task:', [task.row]);
	if (gaps.length > 0) {
		const text = `Marked: ${count(gaps.length, 'idle time')} on ${on(gaps.map((g) => work.workers[work.gap.worker[g]].name))}${others ? ' of other nodes, each 1 % of the run or longer' : ''}`;

		if (next.length > 0)
			tasks(`${text}, the longest before:`, next);
		else
			line(`${text}${colon(gaps.length)}`, longest(gaps, (g) => work.gap.end[g] - work.gap.begin[g]).map((g) => [`${TV.duration(work.gap.end[g] - work.gap.begin[g])} on ${work.workers[work.gap.worker[g]].name}`,
				() => TV.goTo(view, { run: 0, gap: g })]));
	}
	for (const [chart, marks] of calls || []) {
		const items = Array.from(marks.keys()).filter((i) => marks[i]), [begin, end] = [chart.begin, chart.end].map((times) => (i) => chart.frame.offset + times[i]);
		const names = chart.rows.filter(({ first, n }) => items.some((i) => i >= first && i < first + n)).map(({ name }) => name);

		line(`Marked: ${count(items.length, 'call')} on ${on(names)}${colon(items.length)}`, longest(items, (i) => end(i) - begin(i))
			.map((i) => [`${TV.duration(end(i) - begin(i))} at ${TV.instant(TV.scene.base + BigInt(begin(i)))}`, () => {
				view.take(TV.callOf(chart, i));
				view.showAround(begin(i), end(i));
				view.select(view.chosen());
			}]));
	}
	return lines;
};

TV.answer = function (body, figure, view) {
	const { answer } = TV.data.header;

	if (answer === undefined)
		return;
	// A text whose words are explained, each once of `seen`, and in which names of findings lead to them.
	const explained = (text, seen) => {
		const parts = [], add = (piece) => {
			let at = 0;

			for (const { word, meaning, index, text: own } of TV.words.in(piece)) {
				if (seen.has(meaning))
					continue;
				seen.add(meaning);
				parts.push(piece.slice(at, index), TV.words.element(own, word));
				at = index + own.length;
			}
			parts.push(piece.slice(at));
		};

		for (const piece of text.split(/(\([a-z][a-z-]*\))/)) {
			const finding = answer.findings.find(({ id }) => piece === `(${id})`);

			if (finding === undefined)
				add(piece);
			else
				parts.push(TV.el('span', { class: 'tv-whole' }, '(', TV.el('button', { type: 'button', class: 'tv-to', onclick: () => view.showFinding(finding.id, true) }, finding.id), ')'));
		}
		return parts.map((part) => typeof part === 'string' ? TV.visible(part) : part);
	};
	const command = (text) => TV.el('code', {}, text), seen = new Set(), open = new Map();
	// All findings are below.
	const screen = answer.text.filter((line) => !/^\d+ more findings?: /.test(line)).map((line) => {
		const [, word, rest] = /^(See: )(.*)$/.exec(line) || [];

		return word === undefined ? TV.el('p', {}, ...explained(line, seen)) : TV.el('p', {}, word, command(rest));
	});
	const findings = answer.findings.map(({ id, title, words, command: of }) => {
		const known = new Set(), marked = TV.el('div'), more = TV.el('div', { class: 'tv-finding-words', id: `tv-finding-${id}`, hidden: true }, marked,
			...words.slice(1).map((text) => TV.el('p', {}, ...explained(text, known))), TV.el('p', {}, command(of)));
		const head = TV.el('button', { type: 'button', class: 'tv-finding', 'aria-expanded': 'false', 'aria-controls': `tv-finding-${id}`, onclick: () => view.showFinding(view.finding === id ? null : id) },
			TV.el('b', {}, title), TV.el('span', { class: 'tv-soft' }, words[0]));

		open.set(id, { head, marked, more });
		return TV.el('li', {}, head, more);
	});
	const panel = TV.el('aside', { class: 'tv-answer', 'aria-label': 'answer', tabindex: '-1' },
		TV.el('div', { class: 'tv-answer-head' }, TV.el('h2', {}, 'Why was it slow?'),
			TV.el('button', { type: 'button', class: 'tv-close', title: 'close (v)', 'aria-label': 'close the answer', onclick: () => view.openAnswer(false) }, '×')),
		...screen, findings.length > 0 ? TV.el('h3', {}, 'Findings') : null, TV.el('ol', {}, ...findings));

	body.prepend(panel);
	TV.on('answer', () => {
		panel.hidden = !view.answer;
		for (const [id, { head, more }] of open) {
			head.setAttribute('aria-expanded', id === view.finding ? 'true' : 'false');
			more.hidden = id !== view.finding;
		}
		if (view.finding === null)
			return;
		const { head, marked, more } = open.get(view.finding);

		if (marked.firstChild === null)
			marked.replaceChildren(...TV.markedLines(view, view.plan));
		more.scrollIntoView({ block: 'nearest' });
		head.scrollIntoView({ block: 'nearest' });
	});
	panel.addEventListener('scroll', () => document.activeElement.matches('.tv-word') ? TV.words.show(document.activeElement) : TV.words.hide());
	TV.key(['v'], 'open or close the answer', () => view.openAnswer(!view.answer));
	TV.answerOverlay(figure, view);
};

// A frame inside a row, a pixel beside what it marks: thin where that is narrow.
TV.strokeBox = function (context, { x0, x1, y0, y1 }) {
	const left = Math.floor(x0), right = Math.max(Math.ceil(x1), left + 1), width = right - left < 12 ? 1 : 2;

	context.lineWidth = width;
	context.strokeRect(left - 1 + width / 2, y0 + width / 2, right - left + 2 - width, y1 - y0 - width);
};

// Boxes around the items of a chart that are marked; those that touch on the screen have one.
TV.strokeItems = function (context, figure, place, chart, marked) {
	for (const row of chart.rows) {
		const [first, last] = chart.range(row, TV.view.begin - place.frame.offset, TV.view.end - place.frame.offset);
		let box = null;
		const close = () => box !== null && TV.strokeBox(context, box);

		for (let i = first; i < last; i++) {
			if (!marked(i))
				continue;
			const next = figure.itemBox(place, chart, i);

			if (box !== null && next.x0 < box.x1 + 2 && next.y0 === box.y0) {
				box.x1 = Math.max(box.x1, next.x1);
				continue;
			}
			close();
			box = next;
		}
		close();
	}
};

// A time in all rows of a place.
TV.shadeTime = function (context, figure, place, times) {
	const [x0, x1] = times.map((time) => figure.timeX(place, time));

	context.fillStyle = figure.dark ? '#ffd54a22' : '#b36b0020';
	context.fillRect(x0, place.top, x1 - x0, place.height);
};

// Draws what the finding is about.
TV.answerOverlay = function (figure, view) {
	const paths = new Map();

	figure.overlays.push((context) => {
		const { plan } = view, path = plan !== null && plan.path ? true : view.tab === 'critical path', color = figure.dark ? '#ffd54a' : '#b36b00';

		if (plan === null && !path)
			return;
		for (const place of figure.layout.frames) {
			const { chart, charts } = place.frame;

			if (!chart || !(chart.tasks || chart.label) || chart.rows.every((row) => row.type === '') || place.height < 2 || !figure.draw.seen(place.top, place.top + place.height))
				continue;
			context.save();
			context.beginPath();
			context.rect(place.left, place.top - 3, place.width, place.height + 6);
			context.clip();
			context.strokeStyle = color;
			context.lineWidth = 2;
			if (plan !== null && plan.during !== null && chart.run === 0)
				TV.shadeTime(context, figure, place, plan.during);
			for (const one of plan !== null && chart.run === 0 ? charts : []) {
				const calls = plan.calls && plan.calls.get(one);

				if (one.tasks ? plan.rows : calls)
					TV.strokeItems(context, figure, place, one, one.tasks ? (i) => plan.rows[one.row[i]] : (i) => calls[i]);
			}
			if (plan !== null && chart.tasks && chart.run === 0)
				TV.strokeGaps(context, figure, place, TV.Work.of(0), plan.gaps, 1);
			if (path && chart.tasks) {
				if (!paths.has(chart.run))
					paths.set(chart.run, TV.criticalPath(chart.run).filter(({ row }) => row >= 0).map(({ row }) => row));
				const boxes = paths.get(chart.run).map((row) => chart.itemOf(row)).filter((item) => item >= 0).map((item) => figure.itemBox(place, chart, item));

				context.strokeStyle = figure.dark ? '#ff8ac0' : '#c2185b';
				context.lineWidth = 2;
				context.beginPath();
				for (const { x0, x1, y0, y1 } of boxes) {
					context.lineTo(x0, (y0 + y1) / 2);
					context.lineTo(x1, (y0 + y1) / 2);
				}
				context.stroke();
			}
			context.restore();
		}
	});
};
