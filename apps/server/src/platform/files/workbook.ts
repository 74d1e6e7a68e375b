import { truncate } from '@simcube/contract';
import type { CsvField } from '../csv/index.ts';
import { zipArchive } from './zip-archive.ts';

/** Maximum characters of a cell: spreadsheets report a workbook with more as damaged. */
const maxCellLength = 32_767;

/** Text is passed to the archive in pieces of this many characters, not row by row. */
const chunkLength = 64 * 1024;

/**
 * A table as a workbook with one sheet, written row by row (ECMA-376 part 1, 12.3 and 18.3). Texts are stored
 * as text: nothing is computed. Own code, because the library that streams rows loses characters beyond U+FFFF,
 * which device names contain.
 */
export const workbook = (rows: AsyncIterable<readonly CsvField[]>): AsyncIterable<Buffer> =>
  zipArchive([
    ...Object.entries(parts).map(([name, text]) => ({ name, at: zipEpoch, content: piecesOf(text) })),
    { name: 'xl/worksheets/sheet1.xml', at: zipEpoch, content: sheet(rows) },
  ]);

/** The earliest time that an archive's entry can have: the same table always gives the same file. */
const zipEpoch = new Date('1980-01-01T00:00:00Z');

const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const formats = 'http://schemas.openxmlformats.org';
const main = `${formats}/spreadsheetml/2006/main`;
const relations = `${formats}/officeDocument/2006/relationships`;
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const relation = (type: string, target: string): string =>
  `${xmlDeclaration}<Relationships xmlns="${formats}/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/${type}" Target="${target}"/></Relationships>`;

/** All parts of a workbook except its sheet. */
const parts = {
  '[Content_Types].xml': `${xmlDeclaration}<Types xmlns="${formats}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/></Types>`,
  '_rels/.rels': relation('officeDocument', 'xl/workbook.xml'),
  'xl/workbook.xml': `${xmlDeclaration}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="Data" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': relation('worksheet', 'worksheets/sheet1.xml'),
};

async function* piecesOf(text: string): AsyncIterable<Buffer> {
  yield Buffer.from(text);
}

async function* sheet(rows: AsyncIterable<readonly CsvField[]>): AsyncIterable<Buffer> {
  let text = `${xmlDeclaration}<worksheet xmlns="${main}"><sheetData>`;
  let number = 0;
  for await (const row of rows) {
    number += 1;
    text += rowOf(row, number);
    if (text.length < chunkLength) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(`${text}</sheetData></worksheet>`);
}

const rowOf = (row: readonly CsvField[], number: number): string =>
  `<row r="${number}">${row.map((field, index) => cellOf(field, `${columnOf(index)}${number}`)).join('')}</row>`;

const cellOf = (field: CsvField, reference: string): string => {
  if (field === null || field === '') return '';
  if (typeof field === 'string')
    return `<c r="${reference}" t="inlineStr"><is><t xml:space="preserve">${escapeText(field)}</t></is></c>`;
  return `<c r="${reference}"><v>${typeof field === 'number' ? field : field.decimal}</v></c>`;
};

/** A to Z, AA to ZZ and so on. */
const columnOf = (index: number): string =>
  `${index < 26 ? '' : columnOf(Math.floor(index / 26) - 1)}${String.fromCharCode(65 + (index % 26))}`;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * Escapes a text for XML 1.0, which allows no other control characters (2.2), and by part 1, 22.9.2.19:
 * `_x0041_` would be read as A.
 */
const escapeText = (text: string): string =>
  (text.length > maxCellLength ? `${truncate(text, maxCellLength - 1)}…` : text)
    .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll(/_(?=x[\da-f]{4}_)/gi, '_x005F_')
    .replaceAll(/[&<>]/g, (character) => entities[character] ?? character);
