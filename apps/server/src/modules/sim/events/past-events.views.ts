import type { SimEventKind } from '@simcube/contract/sim';
import type { Sql } from '../../../platform/db/index.ts';

/** A change of a SIM's property from one value to another, while the SIM belonged to the organisation. */
export interface PastChange {
  simId: number;
  /** Milliseconds. */
  at: number;
  from: string;
  to: string;
}

/** Events of a kind with facts "from" and "to", for these SIMs, since an instant. */
export const listPastChanges = async (
  sql: Sql,
  {
    orgId,
    simIds,
    kind,
    since,
  }: {
    orgId: number;
    simIds: readonly number[];
    kind: Extract<SimEventKind, 'lifecycle-changed' | 'imei-changed' | 'network-changed'>;
    since: number;
  },
): Promise<PastChange[]> =>
  (
    await sql.query<PastChange>(
      `select sim_id as "simId", (extract(epoch from at) * 1000)::float8 as at, facts ->> 'from' as from, facts ->> 'to' as to
       from sim_events
       where sim_id = any($1::bigint[]) and at >= to_timestamp($4::float8 / 1000) and org_id = $2 and kind = $3
       order by sim_id, at, id`,
      [simIds, orgId, kind, since],
    )
  ).rows;

/**
 * By SIM: the task that started its newest bundle order since an instant of its own, in milliseconds; absent if no task
 * did.
 */
export const findStartTasks = async (
  sql: Sql,
  { orgId, since }: { orgId: number; since: ReadonlyMap<number, number> },
): Promise<ReadonlyMap<number, string>> => {
  if (since.size === 0) return new Map();
  const { rows } = await sql.query<{ simId: number; at: number; task: string }>(
    `select sim_id as "simId", (extract(epoch from at) * 1000)::float8 as at, task_id as task from sim_events
     where sim_id = any($1::bigint[]) and at >= to_timestamp($3::float8 / 1000) and org_id = $2
       and kind = 'bundle-started' and task_id is not null
     order by sim_id, at, id`,
    [[...since.keys()], orgId, Math.min(...since.values())],
  );
  return new Map(
    rows.flatMap(({ simId, at, task }) => (at >= (since.get(simId) ?? 0) ? [[simId, task] as const] : [])),
  );
};

/** A period of a SIM in milliseconds, the end exclusive, and the position of the requested event in it, from 1. */
export interface NthSessionQuery {
  simId: number;
  from: number;
  to: number;
  nth: number;
}

/** The same as columns, for `unnest`. */
export const nthSessionColumns = (queries: readonly NthSessionQuery[]): number[][] => [
  queries.map(({ simId }) => simId),
  queries.map(({ from }) => from),
  queries.map(({ to }) => to),
  queries.map(({ nth }) => nth),
];

/**
 * When sessions of SIMs began while they belonged to the organisation, since an instant, in milliseconds and in
 * order.
 */
export const listSessionStarts = async (
  sql: Sql,
  { orgId, simIds, since }: { orgId: number; simIds: readonly number[]; since: number },
): Promise<{ simId: number; at: number }[]> =>
  (
    await sql.query<{ simId: number; at: number }>(
      `select sim_id as "simId", (extract(epoch from at) * 1000)::float8 as at from sim_events
       where sim_id = any($1::bigint[]) and at >= to_timestamp($3::float8 / 1000) and org_id = $2 and kind = 'session-started'
       order by sim_id, at, id`,
      [simIds, orgId, since],
    )
  ).rows;

/** When the nth session of each period began; null if there were fewer. */
export const findNthSessions = async (
  sql: Sql,
  { orgId, queries }: { orgId: number; queries: readonly NthSessionQuery[] },
): Promise<(number | null)[]> => {
  const results: (number | null)[] = queries.map(() => null);
  const { rows } = await sql.query<{ position: number; at: number | null }>(
    `select q.position::int, (extract(epoch from found.at) * 1000)::float8 as at
       from unnest($2::bigint[], $3::float8[], $4::float8[], $5::integer[])
         with ordinality as q (sim_id, since, until, nth, position)
       cross join lateral (
         select (array_agg(e.at order by e.at, e.id))[q.nth] as at from sim_events e
         where e.sim_id = q.sim_id and e.at >= to_timestamp(q.since / 1000) and e.at < to_timestamp(q.until / 1000)
           and e.org_id = $1 and e.kind = 'session-started'
         group by e.sim_id) as found`,
    [orgId, ...nthSessionColumns(queries)],
  );
  for (const { position, at } of rows) results[position - 1] = at;
  return results;
};

/** Mobile country and network code, as events name a network. */
const networkPattern = /^(\d{3})-(\d{2,3})$/;

/** Countries (ISO 3166-1 alpha-2) of networks by their codes in events, such as `262-02`; some networks have none. */
export const countriesOfNetworks = async (
  sql: Sql,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const plmns = new Map(
    names.flatMap((name) => {
      const [, mcc, mnc] = networkPattern.exec(name) ?? [];
      return mcc && mnc ? [[name, Number(mcc) * 1000 + Number(mnc)] as const] : [];
    }),
  );
  const { rows } = await sql.query<{ plmn: number; country: string }>(
    'select plmn, country from networks where plmn = any($1::integer[]) and country is not null',
    [[...plmns.values()]],
  );
  const countries = new Map(rows.map(({ plmn, country }) => [plmn, country]));
  return new Map(
    [...plmns].flatMap(([name, plmn]) => {
      const country = countries.get(plmn);
      return country === undefined ? [] : [[name, country] as const];
    }),
  );
};
