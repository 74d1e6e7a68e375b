import pg from 'pg';
import { distribution } from '../../main/database/distribution.ts';

/** Statements that the process sends to databases, each text once, with its latest values. */
export interface WatchedStatements {
  statements: ReadonlyMap<string, readonly unknown[]>;
  stop(): void;
}

const copied = /^\s*copy \((.+)\) to stdout\b/is;

export const watchStatements = (): WatchedStatements => {
  const statements = new Map<string, readonly unknown[]>();
  const { query } = pg.Client.prototype;
  const watched = function (this: pg.Client, ...args: unknown[]): unknown {
    const [first, second] = args;
    const asked = typeof first === 'string' ? { text: first, values: second } : first;
    const { text, values } = (asked ?? {}) as { text?: unknown; values?: unknown };
    if (typeof text === 'string') {
      // The statement within a COPY has its values written into it.
      statements.set(copied.exec(text)?.[1] ?? text, Array.isArray(values) ? values : []);
    }
    return Reflect.apply(query, this, args);
  };
  Object.assign(pg.Client.prototype, { query: watched });
  return { statements, stop: () => Object.assign(pg.Client.prototype, { query }) };
};

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: Plan[];
  /** A cluster's plan: the queries for its nodes, and what it reads first. */
  'Distributed Query'?: Distributed;
}
interface Distributed {
  Job?: { Tasks?: { 'Remote Plan'?: { Plan: Plan }[][] }[] };
  Subplans?: { PlannedStmt: { Plan: Plan }[] }[];
}

/** The first version whose EXPLAIN plans a statement without its values (generic_plan). */
const oldestWithout = 160_000;

/** Large enough that a join looks up rows individually, as it would in production. */
const rowsOfEach = 1_000_000;
/**
 * The planner counts the existing pages, and gets the number of rows per page from here (estimate_rel_size in
 * PostgreSQL's plancat.c); for an empty table that was never analysed it assumes ten pages.
 */
const asIfFilled = `
  update pg_class c set reltuples = case when pg_relation_size(c.oid) = 0 then -1 else $1::int end,
    relpages = case when pg_relation_size(c.oid) = 0 then 0 else pg_relation_size(c.oid) / 8192 end
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
    and regexp_replace(c.relname, '_\\d{4}_\\d{2}(_\\d{2})?$', '') = any($2)`;

/** Keys by which only the previous version looks up SIMs: a cluster could not have them. */
const formerKeys = `
  alter table sims drop constraint sims_iccid_key, drop constraint sims_imsi_key, drop constraint sims_msisdn_key`;

const isPlanned = /^\s*(?:with|select|insert|update|delete)\b/i;
/** Whether a table grows: those of the catalogue have few rows, and are read as a whole. */
const grows = (table: string): boolean => {
  const place: string | undefined = Object.hasOwn(distribution, table)
    ? distribution[table as keyof typeof distribution]
    : undefined;
  return place !== undefined && place !== 'catalogue';
};

/** `cdrs_2026_11` is a partition of `cdrs`. */
const tableOf = (relation: string): string =>
  // On a node, names end with the number of the shard.
  relation.replace(/(?<=[a-z\d])_\d{6,}$/, '').replace(/_\d{4}_\d{2}(?:_\d{2})?$/, '');

export interface Unserved {
  text: string;
  tables: string[];
}

/**
 * Finds statements that read a whole growing table because no index has their conditions. They are planned as
 * if each table had a million rows, with sequential scans as the last resort. Where the database can, they are
 * planned without their values, so that the plan holds for any; a cluster gets the values, because it plans for
 * the nodes that they select.
 */
export const findUnserved = async (
  pool: pg.Pool,
  statements: WatchedStatements['statements'],
): Promise<Unserved[]> => {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ version: number; cluster: boolean }>(
      `select current_setting('server_version_num')::int as version,
         exists (select from pg_extension where extname = 'citus') as cluster`,
    );
    const { version = 0, cluster = false } = rows[0] ?? {};
    await client.query('begin');
    // Applies to its nodes, too.
    if (cluster) await client.query(`set local citus.propagate_set_commands = 'local'`);
    await client.query('set local enable_seqscan = off');
    await client.query(formerKeys);
    await client.query(asIfFilled, [rowsOfEach, Object.keys(distribution).filter(grows)]);
    const unserved: Unserved[] = [];
    for (const [text, values] of statements) {
      if (!isPlanned.test(text)) continue;
      const isGeneric = !cluster && version >= oldestWithout;
      const plan = await planOf(client, {
        text: `explain (${isGeneric ? 'generic_plan, ' : ''}format json) ${text}`,
        values: isGeneric ? [] : values,
      });
      const tables = [...new Set(wholeReads(plan))].filter(grows);
      if (tables.length > 0) unserved.push({ text: text.replaceAll(/\s+/g, ' ').trim(), tables });
    }
    return unserved;
  } finally {
    await client.query('rollback');
    client.release();
  }
};

const planOf = async (
  client: pg.PoolClient,
  explain: { text: string; values: readonly unknown[] },
): Promise<Plan | undefined> => {
  await client.query('savepoint planning');
  const { rows } = await client
    .query<{ 'QUERY PLAN': { Plan: Plan }[] }>(explain.text, [...explain.values])
    // Uses a table that existed only in its transaction, or a value whose type only its sender knows.
    .catch(() => ({ rows: [] }));
  await client.query('rollback to savepoint planning');
  return rows[0]?.['QUERY PLAN'][0]?.Plan;
};

/** Tables that a plan reads completely. */
const wholeReads = (plan: Plan | undefined, isBounded = false): string[] => {
  if (!plan) return [];
  const { 'Node Type': node, 'Relation Name': relation, 'Index Cond': condition } = plan;
  // A page is read in index order until it is full.
  const bounds = isBounded || node === 'Limit';
  const isWhole =
    node === 'Seq Scan' ||
    (/^(?:Index Scan|Index Only Scan)$/.test(node) && condition === undefined && !bounds);
  const own = isWhole && relation !== undefined ? [tableOf(relation)] : [];
  const onNodes = plansOfNodes(plan['Distributed Query']);
  const below = ['Sort', 'Aggregate', 'Hash', 'Materialize', 'Hash Join'].includes(node) ? false : bounds;
  const parts = [...(plan.Plans ?? []), ...onNodes];
  return [...own, ...parts.flatMap((part) => wholeReads(part, below))];
};

const plansOfNodes = ({ Job: job, Subplans: subplans = [] }: Distributed = {}): Plan[] => [
  ...(job?.Tasks ?? []).flatMap((task) => (task['Remote Plan'] ?? []).flat().map(({ Plan: plan }) => plan)),
  ...subplans.flatMap(({ PlannedStmt: planned }) => planned.map(({ Plan: plan }) => plan)),
];
