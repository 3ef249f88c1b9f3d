// SPDX-License-Identifier: GPL-3.0-or-later
// A context of a canvas, as far as the figure uses one, that writes SVG: text stays text, shapes stay shapes, and
// pixels become embedded images.
'use strict';

// Text for XML: what XML cannot contain is replaced.
TV.xml = (text) => TV.visible(text).replace(/[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff\ufffe\uffff]/g, (c) => c.length === 2 ? c : '\ufffd')
	.replace(/[&<>"']/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[c]);

TV.SvgContext = class {
	// width, height: of the picture; ratio: pixels in one of its units, for what is an image.
	constructor(width, height, ratio) {
		Object.assign(this, { width, height, ratio, out: [], clips: 0, stack: [], path: [] });
		this.measuring = TV.el('canvas').getContext('2d');
		this.state = {
			fillStyle: '#000', strokeStyle: '#000', lineWidth: 1, font: '10px sans-serif', textAlign: 'left',
			textBaseline: 'alphabetic', dash: [], scale: 1, x: 0, y: 0, groups: 0,
		};
		this.vector = true; // items are drawn as shapes where they are wide enough
	}

	text() {
		return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${this.width}" height="${this.height}" `
			+ `viewBox="0 0 ${this.width} ${this.height}">\n${this.out.join('\n')}\n</svg>\n`;
	}

	put(text) {
		this.out.push(text);
	}

	static number(x) {
		return String(+x.toFixed(3));
	}

	X(x) {
		return TV.SvgContext.number(x * this.state.scale + this.state.x);
	}

	Y(y) {
		return TV.SvgContext.number(y * this.state.scale + this.state.y);
	}

	size(d) {
		return TV.SvgContext.number(d * this.state.scale);
	}

	setTransform(scale, _b, _c, _d, x, y) {
		Object.assign(this.state, { scale: scale / this.ratio, x: x / this.ratio, y: y / this.ratio });
	}

	translate(x, y) {
		this.state.x += x * this.state.scale;
		this.state.y += y * this.state.scale;
	}

	save() {
		this.stack.push({ ...this.state });
		this.state.groups = 0;
	}

	restore() {
		this.put('</g>'.repeat(this.state.groups));
		this.state = this.stack.pop();
	}

	setLineDash(dash) {
		this.state.dash = dash;
	}

	// A color of CSS as attributes; #rrggbbaa is not known to every reader of SVG.
	static color(name, color) {
		return /^#[0-9a-f]{8}$/i.test(color) ? `${name}="${color.slice(0, 7)}" ${name}-opacity="${+(parseInt(color.slice(7), 16) / 255).toFixed(3)}"` : `${name}="${color}"`;
	}

	fillWith() {
		return TV.SvgContext.color('fill', this.state.fillStyle);
	}

	strokeWith() {
		const { dash } = this.state;

		return `fill="none" ${TV.SvgContext.color('stroke', this.state.strokeStyle)} stroke-width="${this.size(this.state.lineWidth)}"`
			+ (dash.length > 0 ? ` stroke-dasharray="${dash.map((d) => this.size(d)).join(' ')}"` : '');
	}

	box(x, y, width, height) {
		if (width < 0)
			[x, width] = [x + width, -width];
		if (height < 0)
			[y, height] = [y + height, -height];
		return `x="${this.X(x)}" y="${this.Y(y)}" width="${this.size(width)}" height="${this.size(height)}"`;
	}

	fillRect(x, y, width, height) {
		if (width !== 0 && height !== 0)
			this.put(`<rect ${this.box(x, y, width, height)} ${this.fillWith()}/>`);
	}

	strokeRect(x, y, width, height) {
		this.put(`<rect ${this.box(x, y, width, height)} ${this.strokeWith()}/>`);
	}

	beginPath() {
		this.path = [];
		this.rectangle = null;
	}

	moveTo(x, y) {
		this.path.push(`M${this.X(x)} ${this.Y(y)}`);
	}

	lineTo(x, y) {
		this.path.push(`${this.path.length === 0 ? 'M' : 'L'}${this.X(x)} ${this.Y(y)}`);
	}

	closePath() {
		this.path.push('Z');
	}

	// Whole circles alone.
	arc(x, y, radius) {
		const r = this.size(radius), d = this.size(2 * radius);

		this.path.push(`M${this.X(x - radius)} ${this.Y(y)}a${r} ${r} 0 1 0 ${d} 0a${r} ${r} 0 1 0 -${d} 0Z`);
	}

	rect(x, y, width, height) {
		this.rectangle = this.box(x, y, width, height);
	}

	clip() {
		const id = `clip${++this.clips}`;

		this.put(`<clipPath id="${id}"><rect ${this.rectangle}/></clipPath><g clip-path="url(#${id})">`);
		this.state.groups++;
	}

	fill() {
		if (this.path.length > 0)
			this.put(`<path d="${this.path.join('')}" ${this.fillWith()}/>`);
	}

	stroke() {
		if (this.path.length > 0)
			this.put(`<path d="${this.path.join('')}" ${this.strokeWith()}/>`);
	}

	measureText(text) {
		this.measuring.font = this.state.font;
		return this.measuring.measureText(text);
	}

	fillText(text, x, y, width = Infinity) {
		const { font, textAlign, textBaseline, scale } = this.state, [, weight, pixels, family] = /^(bold )?([\d.]+)px (.*)$/.exec(font);
		const anchor = { left: '', center: ' text-anchor="middle"', right: ' text-anchor="end"' }[textAlign];
		const down = textBaseline === 'middle' ? 0.347 * pixels : 0;
		const narrow = width < Infinity && this.measureText(text).width > width ? ` textLength="${this.size(width)}" lengthAdjust="spacingAndGlyphs"` : '';

		if (text.trim() !== '')
			this.put(`<text x="${this.X(x)}" y="${this.Y(y + down)}" font-family="${TV.xml(family)}" font-size="${TV.SvgContext.number(pixels * scale)}"`
				+ `${weight ? ' font-weight="bold"' : ''}${anchor}${narrow} xml:space="preserve" ${this.fillWith()}>${TV.xml(text)}</text>`);
	}

	image(canvas, box) {
		this.put(`<image ${box} preserveAspectRatio="none" image-rendering="optimizeSpeed" style="image-rendering:pixelated" xlink:href="${canvas.toDataURL('image/png')}"/>`);
	}

	drawImage(canvas, x, y, width, height) {
		this.image(canvas, this.box(x, y, width, height));
	}

	// In pixels, whatever the transform.
	putImageData(pixels, x, y) {
		const canvas = TV.el('canvas', { width: pixels.width, height: pixels.height }), number = (d) => TV.SvgContext.number(d / this.ratio);

		if (pixels.width === 0 || pixels.height === 0)
			return;
		canvas.getContext('2d').putImageData(pixels, 0, 0);
		this.image(canvas, `x="${number(x)}" y="${number(y)}" width="${number(pixels.width)}" height="${number(pixels.height)}"`);
	}
};

// What is assigned to a context.
for (const name of ['fillStyle', 'strokeStyle', 'lineWidth', 'font', 'textAlign', 'textBaseline'])
	Object.defineProperty(TV.SvgContext.prototype, name, {
		get() {
			return this.state[name];
		},
		set(value) {
			this.state[name] = value;
		},
	});
