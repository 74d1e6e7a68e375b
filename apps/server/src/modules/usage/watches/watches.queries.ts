import { int8Column, type Sql } from '../../../platform/db/index.ts';

/** Channel on which intake is notified of changed watches. */
export const watchesChannel = 'usage_watches';

/** What an organisation watches for. */
export interface Watch {
  version: number;
  /** Whether each SIM is also checked with its first record of a day. */
  isDaily: boolean;
}
export type Watches = ReadonlyMap<number, Watch>;

/** Organisations whose usage is watched. */
export const listWatches = async (sql: Sql): Promise<Watches> => {
  const { rows } = await sql.query<Watch & { orgId: number }>(
    'select org_id as "orgId", version, daily as "isDaily" from usage_watches',
  );
  return new Map(rows.map(({ orgId, ...watch }) => [orgId, watch]));
};

/**
 * The organisation watches for something else, or for nothing: each of its SIMs is checked with its next record. The
 * cost does not depend on their number.
 */
export const changeWatch = async (
  tx: Sql,
  { orgId, isWatching, isDaily = false }: { orgId: number; isWatching: boolean; isDaily?: boolean },
): Promise<void> => {
  await tx.query(
    isWatching
      ? `insert into usage_watches (org_id, version, daily) values ($1, nextval('usage_watch_versions'), $2)
         on conflict (org_id) do update set version = excluded.version, daily = excluded.daily`
      : 'delete from usage_watches where org_id = $1 and $2::boolean is not null',
    [orgId, isDaily],
  );
  await tx.query('select pg_notify($1, $2)', [watchesChannel, '']);
};

/** SIMs whose rules have changed are checked with their next record. */
export const watchAnyUsage = async (tx: Sql, simIds: readonly number[]): Promise<void> => {
  await tx.query(
    `update sim_live set watch_bytes = 0
     where sim_id in (select sim_id from sim_live where sim_id = any($1::bigint[]) order by sim_id for no key update)`,
    [int8Column(simIds, (simId) => simId)],
  );
};

/** The usage in its cycle from which a SIM is checked; null: never. */
export interface SimWatch {
  simId: number;
  watch: number | null;
  /** The state it was computed from: if that has changed, nothing is stored, and the SIM's next record is checked. */
  from: { orgId: number; watch: number | null; limit: number | null; cycleEndsAt: number | null };
}

/** Stores what was computed for a version. */
export const setSimWatches = async (
  tx: Sql,
  { sims, version }: { sims: readonly SimWatch[]; version: number },
): Promise<void> => {
  await tx.query(
    `with given as (
       select v.sim_id, v.watch from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::float8[])
         as v (sim_id, watch, org_id, watch_before, limit_bytes, cycle_ends)
       join sim_live l on l.sim_id = v.sim_id
       where l.org_id = v.org_id and l.watch_bytes is not distinct from v.watch_before
         and l.limit_bytes is not distinct from v.limit_bytes
         and l.cycle_ends_at is not distinct from to_timestamp(v.cycle_ends / 1000)
         and (l.watch_bytes is distinct from v.watch or l.watch_version <> $1)
       order by v.sim_id for no key update of l)
     update sim_live l set watch_bytes = given.watch, watch_version = $1 from given where l.sim_id = given.sim_id`,
    [
      version,
      int8Column(sims, ({ simId }) => simId),
      int8Column(sims, ({ watch }) => watch),
      int8Column(sims, ({ from }) => from.orgId),
      int8Column(sims, ({ from }) => from.watch),
      int8Column(sims, ({ from }) => from.limit),
      sims.map(({ from }) => from.cycleEndsAt),
    ],
  );
};

/** The version of the organisation's current watch; undefined if it watches for nothing. */
export const findWatch = async (sql: Sql, orgId: number): Promise<number | undefined> =>
  (await sql.query<{ version: number }>('select version from usage_watches where org_id = $1', [orgId]))
    .rows[0]?.version;
