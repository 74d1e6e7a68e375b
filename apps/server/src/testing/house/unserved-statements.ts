import pg from 'pg';
import { distribution } from '../../main/database/distribution.ts';

/** Statements that the process sends to databases, each text once. */
export interface WatchedStatements {
  texts: ReadonlySet<string>;
  stop(): void;
}

export const watchStatements = (): WatchedStatements => {
  const texts = new Set<string>();
  const { query } = pg.Client.prototype;
  const watched = function (this: pg.Client, ...args: unknown[]): unknown {
    const [first] = args;
    const text = typeof first === 'string' ? first : (first as { text?: unknown } | undefined)?.text;
    if (typeof text === 'string') texts.add(text);
    return Reflect.apply(query, this, args);
  };
  Object.assign(pg.Client.prototype, { query: watched });
  return { texts, stop: () => Object.assign(pg.Client.prototype, { query }) };
};

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: Plan[];
}

/** The first version whose EXPLAIN plans a statement without its values (generic_plan). */
const oldestThatPlans = 160_000;

/** So that a join looks rows up one by one, as it would. */
const rowsOfEach = 1_000_000;
/**
 * The planner counts the pages that there are, and has the rows of a page from here (estimate_rel_size in PostgreSQL's
 * plancat.c); of a table that is empty and was never analysed it takes ten pages.
 */
const asIfFilled = `
  update pg_class c set reltuples = case when pg_relation_size(c.oid) = 0 then -1 else $1::int end,
    relpages = case when pg_relation_size(c.oid) = 0 then 0 else pg_relation_size(c.oid) / 8192 end
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
    and regexp_replace(c.relname, '_\\d{4}_\\d{2}(_\\d{2})?$', '') = any($2)`;

const isPlanned = /^\s*(?:with|select|insert|update|delete)\b/i;
/** Rows of the catalogue are few, and read as a whole. */
const grows = (table: string): boolean => {
  const place: string | undefined = Object.hasOwn(distribution, table)
    ? distribution[table as keyof typeof distribution]
    : undefined;
  return place !== undefined && place !== 'catalogue';
};

/** `cdrs_2026_11` is part of `cdrs`. */
const tableOf = (relation: string): string => relation.replace(/_\d{4}_\d{2}(?:_\d{2})?$/, '');

export interface Unserved {
  text: string;
  tables: string[];
}

/**
 * Statements that read the whole of a table that grows, as no index has what they ask by: planned as if each had a million
 * rows, and with reading in their own order as the last resort.
 * @returns undefined where the database can't tell
 */
export const findUnserved = async (
  pool: pg.Pool,
  texts: Iterable<string>,
): Promise<Unserved[] | undefined> => {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ version: number }>(
      `select current_setting('server_version_num')::int as version`,
    );
    if ((rows[0]?.version ?? 0) < oldestThatPlans) return undefined;
    await client.query('begin');
    await client.query('set local enable_seqscan = off');
    await client.query(asIfFilled, [rowsOfEach, Object.keys(distribution).filter(grows)]);
    const unserved: Unserved[] = [];
    for (const text of texts) {
      if (!isPlanned.test(text)) continue;
      const tables = [...new Set(wholeReads(await planOf(client, text)))].filter(grows);
      if (tables.length > 0) unserved.push({ text: text.replaceAll(/\s+/g, ' ').trim(), tables });
    }
    return unserved;
  } finally {
    await client.query('rollback');
    client.release();
  }
};

const planOf = async (client: pg.PoolClient, text: string): Promise<Plan | undefined> => {
  await client.query('savepoint planning');
  const { rows } = await client
    .query<{ 'QUERY PLAN': { Plan: Plan }[] }>(`explain (generic_plan, format json) ${text}`)
    // Of a table that lived as long as its transaction, or a value whose type only its sender knows.
    .catch(() => ({ rows: [] }));
  await client.query('rollback to savepoint planning');
  return rows[0]?.['QUERY PLAN'][0]?.Plan;
};

/** Tables that a plan reads to their end. */
const wholeReads = (plan: Plan | undefined, isBounded = false): string[] => {
  if (!plan) return [];
  const { 'Node Type': node, 'Relation Name': relation, 'Index Cond': condition } = plan;
  // A page is read along an order until it is full.
  const bounds = isBounded || node === 'Limit';
  const isWhole =
    node === 'Seq Scan' ||
    (/^(?:Index Scan|Index Only Scan)$/.test(node) && condition === undefined && !bounds);
  const own = isWhole && relation !== undefined ? [tableOf(relation)] : [];
  const below = ['Sort', 'Aggregate', 'Hash', 'Materialize', 'Hash Join'].includes(node) ? false : bounds;
  return [...own, ...(plan.Plans ?? []).flatMap((part) => wholeReads(part, below))];
};
