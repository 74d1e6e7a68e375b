import type { TriggerKind } from '@simcube/contract/autoflow';
import { lifecycleNumbers } from '@simcube/contract/sim';
import type { Sql } from '../../../platform/db/index.ts';
import type { TimeEvaluation, TimeKind } from './time.rules.ts';

const ms = (column: string): string => `(extract(epoch from ${column}) * 1000)::float8`;
const { active, paused } = lifecycleNumbers;
const preActivated = lifecycleNumbers['pre-activated'];

interface TimedSim {
  simId: number;
  /** The instant by which it was found, milliseconds. */
  instant: number;
  /** Since when the organisation has owned it, milliseconds; 0: always. */
  ownedSince: number;
}

export interface DueSim extends TimedSim {
  /** `instant` in the database's full precision. */
  exact: string;
  /** The instant that identifies the firing; milliseconds. */
  named: number;
}

/** A SIM that was suspended is also found by its resumption, because silence was expected before that. */
export type DueKind = TimeKind | 'resumed';

/** Ranges of the instants, each with its own index. What another organisation saw of a SIM does not count. */
const dueConditions: Record<DueKind, { instant: string; condition: string; named?: string }> = {
  'first-use': {
    instant: 's.pre_activation_ends_at',
    condition: `s.org_id = $1 and s.lifecycle = ${preActivated} and not s.pre_activation_over and l.last_seen_at is null`,
  },
  'lifecycle-expiry': {
    instant: 's.expires_key',
    condition: `s.org_id = $1 and s.lifecycle in (${active}, ${paused})`,
  },
  silent: {
    instant: 'l.silent_since',
    condition: `l.org_id = $1 and s.lifecycle in (${preActivated}, ${active})
      and l.silent_since >= coalesce(s.owned_since, '-infinity')`,
  },
  resumed: {
    instant: 's.lifecycle_changed_at',
    condition: `s.org_id = $1 and s.lifecycle = ${active} and l.silent_since < s.lifecycle_changed_at
      and l.silent_since >= coalesce(s.owned_since, '-infinity')`,
    named: 'l.silent_since',
  },
};

const ownedSince = `coalesce(${ms("nullif(s.owned_since, '-infinity')")}, 0)`;

/**
 * SIMs whose instant is in the span (milliseconds; the end is exclusive), in order of the instants, after the last
 * one returned.
 */
export const listDueSims = async (
  sql: Sql,
  query: {
    orgId: number;
    kind: DueKind;
    span: { from: number; to: number };
    after: DueSim | undefined;
    limit: number;
  },
): Promise<DueSim[]> => {
  const { orgId, kind, span, after, limit } = query;
  const { instant, condition, named = instant } = dueConditions[kind];
  const id = kind === 'silent' ? 'l.sim_id' : 's.id';
  const { rows } = await sql.query<DueSim>(
    `select ${id} as "simId", ${ms(instant)} as instant, ${instant}::text as exact,
       ${ms(named)} as named, ${ownedSince} as "ownedSince"
     from sims s join sim_live l on l.sim_id = s.id
     where ${condition} and ${instant} >= to_timestamp($2::float8 / 1000) and ${instant} < to_timestamp($3::float8 / 1000)
       and ($4::timestamptz is null or (${instant}, ${id}) > ($4, $5::bigint))
     order by ${instant}, ${id} limit $6`,
    [orgId, span.from, span.to, after?.exact ?? null, after?.simId ?? 0, limit],
  );
  return rows;
};

/** The instants of SIMs for a trigger, milliseconds; SIMs without one are omitted. */
export const listInstants = async (
  sql: Sql,
  { orgId, kind, simIds }: { orgId: number; kind: DueKind; simIds: readonly number[] },
): Promise<TimedSim[]> => {
  const { instant, condition } = dueConditions[kind];
  const { rows } = await sql.query<TimedSim>(
    `select s.id as "simId", ${ms(instant)} as instant, ${ownedSince} as "ownedSince"
     from sims s join sim_live l on l.sim_id = s.id
     where ${condition} and s.id = any($2::bigint[]) and isfinite(${instant})`,
    [orgId, simIds],
  );
  return rows;
};

/** The same for one SIM; null if it has none. */
export const findInstant = async (
  sql: Sql,
  { simId, ...query }: { orgId: number; kind: DueKind; simId: number },
): Promise<number | null> => (await listInstants(sql, { ...query, simIds: [simId] }))[0]?.instant ?? null;

/** Organisations with enabled rules on one of the triggers. */
export const listOrgsOn = async (sql: Sql, kinds: readonly TriggerKind[]): Promise<number[]> =>
  (
    await sql.query<{ id: number }>(
      'select distinct org_id as id from autoflow_rules where enabled and kind = any($1) order by 1',
      [kinds],
    )
  ).rows.map(({ id }) => id);

export const findTimeEvaluation = async (
  sql: Sql,
  { orgId, kind }: { orgId: number; kind: TimeKind },
): Promise<TimeEvaluation | undefined> =>
  (
    await sql.query<TimeEvaluation>(
      `select ${ms('judged_until')} as "judgedUntil", ${ms('ran_at')} as "ranAt", ${ms('running_since')} as "runningSince"
       from autoflow_judged_times where org_id = $1 and kind = $2`,
      [orgId, kind],
    )
  ).rows[0];

/** The longest interim interval of all gateways, milliseconds. */
export const longestInterim = async (sql: Sql): Promise<number> =>
  (
    await sql.query<{ ms: number }>(
      'select coalesce(max(interim_seconds), 0)::float8 * 1000 as ms from radius_clients',
    )
  ).rows[0]?.ms ?? 0;
