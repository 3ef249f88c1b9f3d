// SPDX-License-Identifier: GPL-3.0-or-later
// parquet_read.mjs NODE_MODULES FILE.parquet: the table as CSV, read by hyparquet, which shares no code with traceviz
const [modules, path] = process.argv.slice(2);
const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } = await import(`${modules}/hyparquet/src/node.js`);
const { compressors } = await import(`${modules}/hyparquet-compressors/src/index.js`);
const file = await asyncBufferFromFile(path);
const metadata = await parquetMetadataAsync(file);
const columns = metadata.schema.filter(e => e.name !== 'list' && e.name !== 'element').slice(1);
const cell = (value, column) => {
	if (value === null || value === undefined) return '';
	if (column.converted_type === 'DECIMAL') return value.toFixed(6);
	if (Object.is(value, -0)) return '-0';
	const text = Array.isArray(value) ? value.join(' ') : String(value);
	return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
const line = cells => process.stdout.write(`${cells.join(',')}\n`);
line(columns.map(column => cell(column.name, {})));
for (const row of await parquetReadObjects({ file, metadata, compressors })) line(columns.map(column => cell(row[column.name], column)));
