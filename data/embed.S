/* SPDX-License-Identifier: GPL-3.0-or-later */
/* embed.S -- data files that are part of the program: NAME_begin .. NAME_end. */
	.macro embed name, file
	.global tv_\name\()_begin, tv_\name\()_end
	.hidden tv_\name\()_begin, tv_\name\()_end
tv_\name\()_begin:
	.incbin "\file"
tv_\name\()_end:
	.byte 0
	.endm

	.section .rodata
	embed kernels, data/kernels.csv
	embed font_regular, data/fonts/LiberationSans-Regular.ttf
	embed font_bold, data/fonts/LiberationSans-Bold.ttf
	embed intel6240, data/platforms/intel6240.xml
	embed epyc7452, data/platforms/epyc7452.xml
	embed epyc7452_flat, data/platforms/epyc7452-flat.xml
	embed glossary, docs/glossary.md
	embed map, docs/formats/table.md
	embed viewer_script, data/viewer.js
	embed viewer_style, data/viewer.css

	.section .note.GNU-stack, "", %progbits
