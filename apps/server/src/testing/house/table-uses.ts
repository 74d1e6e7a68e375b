import type { SourceFile } from './source-tree.ts';

/** A statement's use of a table, according to its text. */
export interface TableUse {
  table: string;
  /** A folder of `modules`, or `platform` or `main`. */
  module: string;
  path: string;
  access: 'read' | 'write';
  /** Columns that an update sets; absent if rows are inserted or deleted, or only read. */
  sets?: readonly string[];
}

/** Marks a column list that could not be read: then the test can't know who writes what. */
export const unreadable = '?';

const moduleOf = (path: string): string =>
  /^apps\/server\/src\/(?:modules\/)?([^/]+)\//.exec(path)?.[1] ?? path;

const withoutComments = (text: string): string =>
  text
    .replaceAll(/\/\*[\s\S]*?\*\//g, ' ')
    .replaceAll(/^\s*(\/\/|--).*$/gm, ' ')
    .replaceAll(/\s\/\/ .*$/gm, ' ');

/** SQL fragments in constants of the file, inserted where statements use them. */
const withConstants = (text: string): string => {
  const pieces = new Map(
    [...text.matchAll(/\bconst (\w+) = `([^`]*)`/g)].map(([, name = '', piece = '']) => [name, piece]),
  );
  return text.replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => pieces.get(name) ?? whole);
};

const read =
  /(?<!\bdelete )\b(?:from|join|using)\s+(?:only\s+|lateral\s+)?([a-z_]+(?:(?:\s+as)?\s+[a-z]\w*)?(?:\s*,\s*[a-z_]+(?:(?:\s+as)?\s+[a-z]\w*)?)*)/g;
const write =
  /\b(?:insert into|update|delete from|merge into|truncate(?: table)?)\s+(?:only\s+)?([a-z_]+)\b/g;
const builtRead = /\b(?:selectFrom|\w*[jJ]oin|using)\(\s*(\[[^\]]*\]|'[^']*')/g;
const builtWrite = /\b(?:insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\(\s*'([a-z_]+)/g;
const sealedWrite = /\bsealedColumn\(\{[^}]*?\btable: '([a-z_]+)'/g;
/** A statement on tables that the file names in quotes. */
const writesNamed = /\b(?:insert into|update|delete from) \$\{|\bcopyRows\(/;

/** Splits expressions: one ends at a keyword or at a bracket that it did not open. */
const expressionsOf = (text: string): string[] => {
  const parts = [''];
  let depth = 0;
  let cases = 0;
  for (const [word] of text.matchAll(/\$\{|\w+|[^\w]/g)) {
    if (/^[({]$|^\$\{$/.test(word)) depth += 1;
    if (/^[)}]$/.test(word)) depth -= 1;
    if (word === 'case') cases += 1;
    if (word === 'end') cases -= 1;
    const isOutside = depth === 0 && cases === 0;
    if (depth < 0 || word === '`' || word === ';') break;
    if (isOutside && /^(from|where|returning)$/.test(word) && !/\bdistinct\s*$/.test(parts.at(-1) ?? ''))
      break;
    if (isOutside && word === ',') parts.push('');
    else parts[parts.length - 1] += word;
  }
  return parts;
};

const setsOf = (afterTable: string): string[] => {
  const start = /^(?:(?:\s+as)?\s+(?!set\b)\w+)?\s+set\s/.exec(afterTable);
  if (!start) return [unreadable];
  return expressionsOf(afterTable.slice(start[0].length)).map(
    (part) => /^\s*(\w+)\s*=/.exec(part)?.[1] ?? unreadable,
  );
};

/** Every use of the tables in a file's SQL and in its calls of the query builder. */
export const tableUses = ({ path, text }: SourceFile, tables: ReadonlySet<string>): TableUse[] => {
  const code = withConstants(withoutComments(text));
  const where = { module: moduleOf(path), path };
  const uses: TableUse[] = [];
  for (const { 1: list = '' } of code.matchAll(read)) {
    for (const item of list.split(',')) {
      uses.push({ ...where, table: item.trim().split(/\s/)[0] ?? '', access: 'read' });
    }
  }
  for (const { 1: list = '' } of code.matchAll(builtRead)) {
    for (const [, table = ''] of list.matchAll(/'([a-z_]+)/g)) uses.push({ ...where, table, access: 'read' });
  }
  for (const { 0: all, 1: table = '', index } of code.matchAll(write)) {
    const sets = all.startsWith('update') ? { sets: setsOf(code.slice(index + all.length)) } : {};
    uses.push({ ...where, table, access: 'write', ...sets });
  }
  for (const { 0: all, 1: table = '' } of code.matchAll(builtWrite)) {
    uses.push({ ...where, table, access: 'write', ...(all.startsWith('update') && { sets: [unreadable] }) });
  }
  for (const [, table = ''] of code.matchAll(sealedWrite)) {
    uses.push({ ...where, table, access: 'read' }, { ...where, table, access: 'write' });
  }
  if (writesNamed.test(code)) {
    for (const [, table = ''] of code.matchAll(/'([a-z_]+)'/g))
      uses.push({ ...where, table, access: 'write' });
  }
  return uses.filter(({ table }) => tables.has(table));
};
