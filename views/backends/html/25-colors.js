// SPDX-License-Identifier: GPL-3.0-or-later
// Colors: the ones of the scene as the theme and the palette show them, and blends in linear light.
'use strict';

TV.colors = {
	dark: false,
	palette: 'trace',
	replaced: new Map(), // colors of types under another palette
	known: new Map(),

	// Okabe and Ito's colors, then the ones of P. Tol's "muted" scheme that differ from them.
	colorblind: [
		0xe69f00, 0x56b4e9, 0x009e73, 0xf0e442, 0x0072b2, 0xd55e00, 0xcc79a7, 0x332288,
		0x999933, 0x882255, 0x44aa99, 0xddcc77, 0x117733, 0xaa4499, 0x000000,
	],

	// Half white, as pictures show tasks that are no outliers.
	fade(rgb) {
		let faded = 0;

		for (const shift of [0, 8, 16])
			faded |= ((rgb >> shift & 0xff) + 256) / 2 << shift;
		return faded;
	},

	choose(dark, palette, types) {
		this.dark = dark;
		this.palette = palette;
		this.known.clear();
		this.replaced.clear();
		// Types of tasks have a fainter color too; states keep theirs.
		if (palette === 'colorblind')
			types.filter((type) => type.faded !== type.color).forEach((type, i) => {
				const color = this.colorblind[i % this.colorblind.length];

				this.replaced.set(type.color, color);
				this.replaced.set(type.faded, this.fade(color));
			});
	},

	// Lightness turned around, hue kept: white becomes the dark ground, black becomes white.
	invert(rgb) {
		const r = (rgb >> 16 & 0xff) / 255, g = (rgb >> 8 & 0xff) / 255, b = (rgb & 0xff) / 255;
		const max = Math.max(r, g, b), min = Math.min(r, g, b), light = (max + min) / 2, range = max - min;
		const saturation = range === 0 ? 0 : range / (1 - Math.abs(2 * light - 1));
		const to = range < 0.06 ? 0.93 - 0.84 * light : TV.clamp(1.02 - 0.8 * light, 0.3, 0.86);
		const grow = (1 - Math.abs(2 * to - 1)) * Math.min(saturation, 1) * 0.72;
		let out = 0;

		for (const c of [r, g, b])
			out = out << 8 | Math.round(255 * TV.clamp(to + (range === 0 ? 0 : (c - light) / range * grow), 0, 1));
		return out;
	},

	// What a color of the scene is on this page.
	of(rgb) {
		let color = this.known.get(rgb);

		if (color === undefined) {
			color = this.replaced.has(rgb) ? this.replaced.get(rgb) : rgb;
			if (this.dark)
				color = this.invert(color);
			this.known.set(rgb, color);
		}
		return color;
	},

	css(rgb) {
		return '#' + this.of(rgb).toString(16).padStart(6, '0');
	},

	ground() {
		return this.of(0xffffff);
	},
};

// sRGB to linear light and back, in 16384 steps.
TV.linear = Float32Array.from({ length: 256 }, (_, i) => i / 255 <= 0.04045 ? i / 255 / 12.92 : ((i / 255 + 0.055) / 1.055) ** 2.4);
TV.srgb = Uint8Array.from({ length: 16385 }, (_, i) => {
	const l = i / 16384;

	return Math.floor((l <= 0.0031308 ? l * 12.92 : 1.055 * l ** (1 / 2.4) - 0.055) * 255 + 0.5);
});
