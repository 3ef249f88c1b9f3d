// SPDX-License-Identifier: GPL-3.0-or-later
// Idle times: a gap {run, gap} in which a worker executed nothing. Hover says how long and why; a click selects it.
'use strict';

// The gap at a point of the figure (TV.figure.hit); null: there is none.
TV.gapOf = function ({ chart, r, item, time }) {
	if (TV.tiles || !chart || !chart.tasks || r < 0 || item >= 0 || chart.rows[r].type === '' || chart.rows[r].lanes > 1)
		return null;
	const work = TV.Work.of(chart.run), gap = work.gapAt(work.number(chart.rows[r].name), time);

	return gap < 0 ? null : { run: chart.run, gap };
};

// The tasks before and after it: [[name, row]].
TV.besideGap = ({ run, gap }) => [['task before it', 'after'], ['task after it', 'next']].map(([name, which]) => [name, TV.Work.of(run).gap[which][gap]]).filter(([, row]) => row !== TV.NONE && TV.hasTask(run, row));

TV.gapFacts = function ({ run, gap }) {
	const work = TV.Work.of(run), [begin, end] = [work.gap.begin[gap], work.gap.end[gap]], instant = (time) => TV.instant(TV.scene.base + BigInt(time)), worker = work.workers[work.gap.worker[gap]];

	return [
		['Length', TV.instant(BigInt(end - begin)), ''], ['Start', instant(begin), ''], ['End', instant(end), ''], ['Worker', worker.name, ''],
		['Why', work.reasons(gap).map(([cause, ns]) => `${cause} ${TV.instant(BigInt(ns))}`).join(', '), 'causes of idle time, the longest first (traceviz help idle-causes)'],
	];
};

// What went on elsewhere for the largest part of it, in words; and the task or message with most of that, -1: none.
TV.culpritText = function ({ run, gap }) {
	const work = TV.Work.of(run), { name, what, time, count, own, row } = work.culprit(gap), length = BigInt(work.gap.end[gap] - work.gap.begin[gap]);
	const many = count > 1 ? `, ${TV.number(count)} ${['message', 'call'].includes(what) ? what : 'task'}s` : '';

	return [`culprit for ${TV.ms(time)} of ${TV.ms(length)} ms: ${name}${many}${row < 0 ? '' : count > 1 ? `, the one with most of it, ${TV.ms(own)} ms:` : ':'}`, row];
};

TV.culpritWords = function ({ run, gap }) {
	const [text, row] = TV.culpritText({ run, gap });

	return row < 0 ? text : `${text} ${TV.nameOf({ run, row })}`;
};

// The same, with a button that goes to that task.
TV.culpritLine = function (view, { run, gap }) {
	const [text, row] = TV.culpritText({ run, gap });

	return TV.el('div', { class: 'tv-links tv-culprit', title: 'what went on elsewhere for the largest part of the idle time' },
		TV.el('span', {}, text), row < 0 ? null : TV.el('button', { type: 'button', onclick: () => TV.goTo(view, { run, row }) }, TV.nameOf({ run, row }) || 'task'));
};

// The culprit of the idle time before a task; null: there is none, or it is nothing: the task itself for less than 10 µs, or less than 1 % of its delay.
TV.culpritBefore = function (view, { run, row }) {
	const before = TV.Work.of(run).before(row), delay = TV.timeAt(run, 'deps', 'Delay', row);

	if (before === null)
		return null;
	const { row: own, time } = TV.Work.of(run).culprit(before.gap);

	return (own === row && time < 10000n) || (delay !== null && 100n * time < delay) ? null : TV.culpritLine(view, { run, gap: before.gap });
};
