import { expect, it } from 'vitest';
import { isTest, type SourceFile, sourceFiles } from './source-tree.ts';

/** Columns that a statement returns as text under a plain name: `id::text`, `sum(x)::text as total`. */
const castToText = /(?:(?:\b\w+\.)?\b(\w+)::text(?=\s*(?:,|\n|from\b))|::text as "?(\w+)"?)/g;

/**
 * PostgreSQL takes a plain name in `order by` for the returned column, so a column returned as text would sort
 * as text: 10 before 9. To sort by the table's column, the table must be named.
 */
const sortedAsText = ({ path, text }: SourceFile): string[] =>
  [...text.matchAll(/`[^`]*`/g)].flatMap(([statement]) => {
    const names = [...statement.matchAll(castToText)].map(([, column, name]) => name ?? column ?? '');
    const order = [...statement.matchAll(/\border by ([^`)]*)/g)].map(([, keys = '']) => keys).join(' ');
    return names
      .filter((name) => new RegExp(`(?<![.\\w$])${name}\\b(?!\\.)`).test(order))
      .map((name) => `${path}: order by ${name}`);
  });

it('ordering by a column cast to text is detected', () => {
  const found = (text: string) => sortedAsText({ path: 'a.ts', text });
  expect(found('`select xact::text, id from outbox order by xact, id limit 5`')).toEqual([
    'a.ts: order by xact',
  ]);
  expect(found('`select id::text as id from t order by id`')).toEqual(['a.ts: order by id']);
  expect(found('`select xact::text, id from outbox order by outbox.xact, id`')).toEqual([]);
});

it('statements sort by columns, not by their text casts', () => {
  const sources = sourceFiles(
    (path) => /^(apps\/server|bench)\/src\/.*(?<!\.gen)\.ts$/.test(path) && !isTest(path),
  );
  expect(sources.flatMap(sortedAsText)).toEqual([]);
});
