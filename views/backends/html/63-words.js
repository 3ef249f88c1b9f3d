// SPDX-License-Identifier: GPL-3.0-or-later
// Words with meanings, from the glossary, in texts of the page and of the figure. A report without an answer has no glossary.
'use strict';

// Of these, only what an article or the like makes a noun: "the run", not "workers run nothing".
TV.verbs = new Set(['account', 'blame', 'cause', 'chain', 'delay', 'front', 'handle', 'idle', 'message', 'pass', 'release', 'replay', 'run', 'state', 'transfer']);
TV.noun = /\b(?:an?|the|this|each|every|its|of|no|one|two|another|whole)\s+$/i;

// Meanings by name, in lower case: {text, more}. Causes of idle time and the like, which entries have in italics, have their own.
TV.meanings = function (glossary) {
	const meanings = new Map(), parts = new Map(), plain = (text) => text.replace(/[*`]/g, '').replace(/\s+/g, ' ').trim();

	for (const entry of glossary.split(/^- (?=\*\*)/m).slice(1)) {
		const whole = entry.replace(/\n\n[\s\S]*/, ''), [, head, text] = /^([^:]*):?\s([\s\S]*)$/.exec(whole), verb = /\(`([a-z-]+)[^)]*\)\.?/.exec(text);
		const more = `${verb === null ? '' : `traceviz help ${verb[1]}; `}docs/glossary.md`, meaning = { text: plain(`${head}: ${text}`), more };

		for (const [, name, short] of entry.matchAll(/\*\*([^*]+)\*\*|\(([A-Z]{2,})\)/g))
			meanings.set((name || short).toLowerCase(), meaning);
		for (const [, name, about] of whole.matchAll(/(?<!\*)\*([a-z-]+)\*(?:: |, )([^;.]+)/g))
			parts.set(name.replace(/-/g, ' '), { text: `${name}: ${plain(about)} (${plain(/\*\*([^*]+)/.exec(head)[1])})`, more });
	}
	return { meanings, parts };
};

TV.Words = class {
	constructor(glossary) {
		Object.assign(this, TV.meanings(glossary));
		this.pattern = new RegExp(`(?<![\\w-])(${[...this.meanings.keys()].sort((a, b) => b.length - a.length).map((name) => name.replace(/[^a-z ]/g, '.')).join('|')})(?:s|es)?(?![\\w-])`, 'gi');
		this.tip = TV.el('div', { class: 'tv-tip tv-meaning', role: 'tooltip', id: 'tv-meaning', hidden: true });
		document.body.append(this.tip);
	}

	// [{word, meaning, index, text}] of a text.
	in(text) {
		return [...text.matchAll(this.pattern)].map((match) => ({ word: match[1].toLowerCase(), index: match.index, text: match[0] }))
			.filter(({ word, index }) => this.meanings.has(word) && (!TV.verbs.has(word) || TV.noun.test(text.slice(0, index))))
			.map((one) => ({ ...one, meaning: this.meanings.get(one.word) }));
	}

	// The meanings of a text of the figure: of a cause of idle time with its share, of both its words; else of its
	// only word, or of that at its k-th letter.
	of(text, k) {
		const [, whole, cause] = /^(?:([a-z-]+): )?([a-z -]+) [\d.]+ %$/.exec(text) || [], names = [whole, cause].filter((name) => name !== undefined);

		if (names.length > 0 && names.every((name) => this.parts.has(name)))
			return names.map((name) => this.parts.get(name));
		const known = [...text.matchAll(this.pattern)].map((match) => ({ name: match[1].toLowerCase(), from: match.index, to: match.index + match[0].length }))
			.filter(({ name }) => this.meanings.has(name) && (name === 'idle' || !TV.verbs.has(name)));

		return known.filter(({ from, to }) => known.length === 1 || (from <= k && k < to)).map(({ name }) => this.meanings.get(name));
	}

	// A word that shows its meaning under the pointer or with the focus.
	element(text, word) {
		return TV.el('dfn', {
			class: 'tv-word', tabindex: '0', 'data-word': word, 'aria-describedby': 'tv-meaning',
			onmouseenter: ({ target }) => this.show(target), onfocus: ({ target }) => this.show(target), onmouseleave: () => this.hide(), onblur: () => this.hide(),
		}, text);
	}

	show(target) {
		const { left, top, bottom } = target.getBoundingClientRect();

		this.place([this.meanings.get(target.dataset.word)], left, top, bottom);
	}

	place(meanings, left, top, bottom) {
		const { tip } = this;

		tip.replaceChildren(...meanings.flatMap(({ text, more }) => [text, TV.el('div', { class: 'tv-soft' }, more)]));
		tip.hidden = false;
		tip.style.left = `${TV.clamp(left, 4, Math.max(innerWidth - tip.offsetWidth - 4, 4))}px`;
		tip.style.top = `${bottom + tip.offsetHeight + 6 < innerHeight ? bottom + 4 : Math.max(top - tip.offsetHeight - 4, 4)}px`;
	}

	hide() {
		this.tip.hidden = true;
	}

	// Texts of the figure under the pointer.
	watch(figure) {
		TV.on('pointer', ({ at, event }) => {
			const [text, k] = at === null ? ['', 0] : figure.draw.written.at(figure.draw.context, at.x, at.y), meanings = this.of(text, k);

			figure.overlay.style.cursor = meanings.length > 0 ? 'help' : '';
			if (meanings.length > 0)
				this.place(meanings, event.clientX, event.clientY - 8, event.clientY + 12);
			else if (!document.activeElement.matches('.tv-word'))
				this.hide();
		});
		TV.on('window', () => this.hide());
	}
};

TV.words = null;
