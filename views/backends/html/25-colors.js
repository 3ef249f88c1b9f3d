// SPDX-License-Identifier: GPL-3.0-or-later
// Colors: the ones of the scene as the theme and the palette show them, and blends in linear light.
'use strict';

TV.colors = {
	dark: false,
	palette: 'trace',
	replaced: new Map(), // colors of types under another palette
	known: new Map(),

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
		if (palette === 'colorblind')
			for (const type of types) {
				if (type.blind === type.color)
					continue;
				this.replaced.set(type.color, type.blind);
				this.replaced.set(type.faded, type.faded === type.color ? type.blind : this.fade(type.blind));
			}
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

	// Of a type: at the left the color of its outliers, at the right that of its other tasks.
	swatch(type) {
		return `linear-gradient(90deg, ${this.css(type.color)} 50%, ${this.css(type.faded)} 50%)`;
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

// Black or white, whichever is read better on a color.
TV.contrast = function (rgb) {
	const light = 0.2126 * TV.linear[rgb >> 16 & 0xff] + 0.7152 * TV.linear[rgb >> 8 & 0xff] + 0.0722 * TV.linear[rgb & 0xff];

	return light > 0.2 ? '#1a1a1a' : '#f4f4f4';
};
