import { sql } from 'kysely';
import type { List } from '../platform/lists/index.ts';

export interface Filter {
  kind?: string[] | undefined;
  weight_from?: number | undefined;
  weight_to?: number | undefined;
  text?: string | undefined;
}
export interface Scope {
  owner: number;
}
export type Sort = 'word' | 'rank' | 'at' | 'weight' | 'pair';

const kinds = (value: string[]) => sql<boolean>`kind = any(${value}::text[])`;

/** A list that is walked: with nulls of both kinds, and a default order with two directions. */
export const walkedList: List<
  Scope,
  Pick<Filter, 'kind'>,
  { id: number; word: string | null },
  number,
  Sort
> = {
  name: 'test.walked',
  tables: [{ name: 'things', from: () => sql`things`, inScope: ({ scope }) => sql`owner = ${scope.owner}` }],
  key: { column: 'id', type: 'integer' },
  sorts: {
    word: { column: 'word', type: 'text', nulls: 'greatest' },
    rank: { column: 'rank', type: 'integer', nulls: 'least' },
    at: { column: 'at', type: 'instant' },
    weight: { column: sql`(select weight from weights where thing_id = id)`, type: 'integer' },
    pair: [
      { column: 'rank', type: 'integer', nulls: 'least' },
      { column: 'at', type: 'instant' },
    ],
  },
  order: [
    { column: 'rank', type: 'integer', nulls: 'least', descending: true },
    { column: 'at', type: 'instant' },
    { column: 'word', type: 'text', nulls: 'greatest', descending: true },
  ],
  filters: { kind: kinds },
  countLimit: 'all',
  select: sql`id, word`,
  show: (rows) => rows.map(({ id }) => id),
};

/** A list that is searched, with steps so small that every way is taken. */
export const searchedList: List<Scope, Filter, { id: number }, number, 'at' | 'weight' | 'pair'> = {
  name: 'test.searched',
  tables: [
    { name: 'things', from: () => sql`things`, inScope: ({ scope }) => sql`owner = ${scope.owner}` },
    {
      name: 'weights',
      from: () => sql`weights`,
      on: sql`thing_id = id`,
      key: sql`thing_id`,
      inScope: ({ scope }) => sql`weight_owner = ${scope.owner}`,
    },
  ],
  key: { column: 'id', type: 'integer' },
  sorts: {
    at: { column: 'at', type: 'instant', covers: ['at', 'kind'] },
    weight: {
      column: 'weight',
      type: 'integer',
      table: 'weights',
      merged: (orderedBy) => sql`((select * from weights where weight % 2 = 0 ${orderedBy}) union all
        (select * from weights where weight % 2 = 1 ${orderedBy})) as weights`,
      covers: ['weight'],
    },
    pair: [
      {
        column: 'half',
        type: 'integer',
        table: 'weights',
        merged: (
          orderedBy,
        ) => sql`((select thing_id, weight_owner, weight, half from weights where weight % 2 = 0 ${orderedBy}) union all
          (select thing_id, weight_owner, same as weight, half from weights where weight % 2 = 1 ${orderedBy})) as weights`,
        covers: ['half', 'weight'],
      },
      { column: 'weight', type: 'integer', table: 'weights' },
    ],
  },
  order: [],
  filters: {
    kind: (value) => ({ holds: kinds(value), columns: ['kind'], listed: true }),
    weight_from: (value) => ({
      holds: sql`weight >= ${value}::bigint`,
      columns: ['weight'],
      tables: ['weights'],
    }),
    weight_to: (value) => ({
      holds: sql`(half, weight) <= (${value}::bigint / 2, ${value}::bigint)`,
      columns: ['half', 'weight'],
      tables: ['weights'],
      either: [0, 1].map((odd) => ({
        holds: sql`weight % 2 = ${odd} and weight <= ${value}::bigint`,
        tables: ['weights'],
      })),
    }),
    text: (value) => ({
      holds: sql`(word = ${value} or weight::text = ${value})`,
      columns: ['word', 'weight'],
      tables: ['things', 'weights'],
      either: [
        { holds: sql`word = ${value}` },
        { holds: sql`weight::text = ${value}`, tables: ['things', 'weights'] },
      ],
    }),
  },
  countLimit: 30,
  known: async (db, _, { scope }) => {
    const { rows } = await sql<{ rows: number }>`
      select count(*) as rows from things where owner = ${scope.owner}`.execute(db);
    const total = rows[0]?.rows ?? 0;
    return { rows: total, total: (conditions) => (conditions.length === 0 ? total : undefined) };
  },
  scopeAsFilter: (conditions) => conditions.length > 1,
  searchLimits: (sort) => ({
    ...(sort !== 'weight' && { near: 4 }),
    far: sort ? 10 : 16,
    sample: { few: 5, many: 40, denseShare: 0.5, reducedCountAbove: 60, reducedCount: 10 },
    few: 50,
  }),
  show: (rows) => rows.map(({ id }) => id),
};
