export interface Migration {
  name: string;
  text: string;
}

interface Statement {
  text: string;
  /** Tables that the same migration creates: the previous version does not know them. */
  made: ReadonlySet<string>;
  /** All statements of the migration, because something that is dropped may be created again. */
  migration: string;
  /** Names of unique indexes, which `on conflict` may refer to by their columns. */
  unique: ReadonlySet<string>;
}

type Rule = (statement: Statement) => string | undefined;

const identifier = String.raw`(?:if exists |only )*"?(\w+)"?`;
const named = (words: string): RegExp => new RegExp(String.raw`\b${words} ${identifier}`);

/** Something dropped and created again in one transaction was never missing. */
const dropped: Rule = ({ text, migration }) => {
  const kinds = 'table|view|materialized view|function|procedure|type|domain|sequence|trigger';
  const [, kind, name] = new RegExp(`^drop (${kinds}) ${identifier}`).exec(text) ?? [];
  if (!kind || !name) return undefined;
  const recreated = new RegExp(String.raw`\bcreate (?:or replace )?${kind} "?${name}"?\b`);
  return recreated.test(migration) ? undefined : `drops the ${kind} ${name}`;
};

const droppedIndex: Rule = ({ text, migration, unique }) => {
  const [, name = ''] = named('^drop index(?: concurrently)?').exec(text) ?? [];
  const recreated = new RegExp(String.raw`\bcreate unique index "?${name}"?\b`);
  return unique.has(name) && !recreated.test(migration) ? `drops the unique index ${name}` : undefined;
};

/** Clauses of `alter table`, each with its effect on the previous version. */
const clauses: readonly { is: RegExp; breaks: (match: RegExpExecArray) => string }[] = [
  { is: named('drop column'), breaks: ([, name]) => `drops the column ${name}` },
  { is: /\brename\b/, breaks: () => 'renames' },
  {
    is: /\balter column "?(\w+)"? (?:set data )?type\b/,
    breaks: ([, name]) => `changes the type of ${name}`,
  },
  { is: /\balter column "?(\w+)"? set not null\b/, breaks: ([, name]) => `wants ${name}` },
  {
    is: /\balter column "?(\w+)"? drop (?:default|identity|expression)\b/,
    breaks: ([, name]) => `wants ${name}`,
  },
  {
    is: /\badd (?:constraint "?\w+"? )?(?:check|unique|foreign key|exclude)\b/,
    breaks: () => 'adds a constraint',
  },
];

const altered: Rule = ({ text, made, migration }) => {
  const [, table = ''] = named('^alter table').exec(text) ?? [];
  if (table === '' || made.has(table)) return undefined;
  for (const { is, breaks } of clauses) {
    const found = is.exec(text);
    if (found) return `${breaks(found)} (${table})`;
  }
  // Without a foreign key or a check, what the previous version writes is still accepted.
  const lost = named('drop constraint')
    .exec(text)?.[1]
    ?.replace(/^.*_(?:fkey|check)$/, '');
  const recreated = new RegExp(
    String.raw`alter table (?:only )?"?${table}"?[^;]*\badd (?:primary key|constraint "?${lost}\b)`,
  );
  if (lost && !recreated.test(migration)) return `drops the constraint ${lost} (${table})`;
  const wanted = [
    ...text.matchAll(/\badd (?:column )?(?:if not exists )?"?(\w+)"? [^,;]*\bnot null\b[^,;]*/g),
  ].find(([clause]) => !/\b(?:default|generated)\b/.test(clause));
  return wanted ? `wants ${wanted[1]} (${table})` : undefined;
};

const addedUniqueIndex: Rule = ({ text, made, migration }) => {
  const [, name = '', table = ''] =
    /^create unique index (?:concurrently )?(?:if not exists )?"?(\w+)"? on (?:only )?"?(\w+)"?/.exec(text) ??
    [];
  const isAgain = new RegExp(String.raw`\bdrop index (?:if exists )?"?${name}"?\b`).test(migration);
  return table !== '' && !made.has(table) && !isAgain ? `makes ${table} unique by ${name}` : undefined;
};

const renamed: Rule = ({ text }) =>
  /^alter (?!table\b|index\b)\w+ (?:\w+ )*?rename\b/.test(text) ? 'renames' : undefined;

const rules: readonly Rule[] = [dropped, droppedIndex, altered, addedUniqueIndex, renamed];

/** One line, in lower case, without comments; quoted parts stay in place without their content. */
const plain = (text: string): string =>
  text
    .replaceAll(/--[^\n]*/g, '')
    .replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/\s+/g, ' ')
    .toLowerCase()
    .trim();

const tablesCreated = (text: string): Set<string> =>
  new Set([...text.matchAll(/\bcreate table (?:if not exists )?"?(\w+)"?/g)].map(([, name = '']) => name));

/**
 * The effects of a migration that break the previous version, which still runs next to it: it uses what the
 * migration removes, or writes what the migration no longer allows.
 */
export const breaksOf = (migration: Migration, all: readonly Migration[]): string[] => {
  const text = plain(migration.text);
  const earlier = all.map((one) => plain(one.text)).join('; ');
  const unique = new Set(
    [...earlier.matchAll(/\bcreate unique index (?:if not exists )?"?(\w+)"?/g)].map(([, name = '']) => name),
  );
  const made = tablesCreated(text);
  return text
    .split(';')
    .map((statement) => statement.trim())
    .flatMap((statement) =>
      rules.flatMap((rule) => rule({ text: statement, made, migration: text, unique }) ?? []),
    );
};
