/** Columns of a CDR file. The first line names them, in any order; unknown columns are ignored. */
export const cdrColumns = [
  'identifier',
  'iccid',
  'imsi',
  'msisdn',
  'record_id',
  'session_id',
  'gateway',
  'session_up_bytes',
  'session_down_bytes',
  'started_at',
  'ended_at',
  'up_bytes',
  'down_bytes',
  'mcc',
  'mnc',
  'rat',
  'apn',
  'cell',
] as const;
export type CdrColumn = (typeof cdrColumns)[number];

/** Position of each column in a line; -1 if the file does not have it. */
export type CdrLayout = Record<CdrColumn, number> & { width: number };

export class CdrFileRefused extends Error {
  override readonly name = 'CdrFileRefused';
}

/** Control characters, characters without width or glyph, and the Braille blank; ordinary blanks are not included. */
export const invisible =
  /[\p{Control}\p{Format}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2028\u2029\u2800]/u;
const allInvisible = new RegExp(invisible, 'gu');

const identifiers = ['identifier', 'iccid', 'imsi', 'msisdn'] as const;

/** @throws CdrFileRefused if a required column is missing, appears twice, or a name only looks like a column's */
export const layoutOf = (header: string): CdrLayout => {
  const names = header
    .replace(/^\ufeff/, '')
    .split(',')
    .map((name) => name.trim().replace(/^"|"$/g, '').toLowerCase());
  const hidden = cdrColumns.find((column) =>
    names.some((name) => name !== column && name.replaceAll(allInvisible, '') === column),
  );
  if (hidden) throw new CdrFileRefused(`The name of the column ${hidden} contains invisible characters`);
  const layout = Object.fromEntries(cdrColumns.map((name) => [name, names.indexOf(name)])) as CdrLayout;
  layout.width = names.length;
  const missing = (['ended_at', 'up_bytes', 'down_bytes'] as const).filter((name) => layout[name] < 0);
  if (identifiers.every((name) => layout[name] < 0)) missing.push('identifier' as never);
  if (missing.length > 0) throw new CdrFileRefused(`The file has no column ${missing.join(', ')}`);
  const duplicated = cdrColumns.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (duplicated) throw new CdrFileRefused(`The file has the column ${duplicated} twice`);
  return layout;
};
