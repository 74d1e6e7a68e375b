import type { Sql } from '../../../platform/db/index.ts';
import { connectionNumbers } from '../sim.rules.ts';
import { moveTagCounts } from '../tags/tags.queries.ts';

/**
 * Location, device and session of a SIM as an organisation last saw them while it owned the SIM; null if it never did. Times are in
 * PostgreSQL's text format, to the microsecond.
 */
export interface LastSeen {
  sim_id: number;
  started_at: string | null;
  updated_at: string | null;
  stopped_at: string | null;
  ip: string | null;
  plmn: number | null;
  radio: number | null;
  imei: string | null;
  imei_changed_at: string | null;
}

export interface SimMove {
  simIds: readonly number[];
  /** Ids of the organisations. */
  from: number;
  to: number;
  at: Date;
}

/** Whether the organisation still exists; if so, it is locked against removal. */
export const lockTarget = async (tx: Sql, orgId: number): Promise<boolean> =>
  (await tx.query('select from organisations where id = $1 for key share', [orgId])).rowCount === 1;

/** Locks the live state of locked SIMs in the order of ids, as intake writes it, so that the two can't deadlock. */
export const lockLive = async (tx: Sql, simIds: readonly number[]): Promise<void> => {
  await tx.query('select from sim_live where sim_id = any($1::bigint[]) order by sim_id for no key update', [
    simIds,
  ]);
};

/**
 * Transfers locked SIMs to another organisation: SIMs, live state, counts and tags. Location, device and session are reset to what
 * the new organisation last saw (`lastSeen`; unknown without one); a stop or rate that an operation of the former one set
 * ends, because the new one sees neither the rule nor the event. Each row is updated once, because every update writes all of its
 * indexes. Intake writes usage only over the live state that it has read, including the organisation, so usage counts for the former
 * organisation until this transaction and for the new one afterwards, never for both.
 */
export const moveSims = async (
  tx: Sql,
  { simIds, from, to, at }: SimMove,
  lastSeen: readonly LastSeen[],
): Promise<void> => {
  await tx.query(
    `with wanted as (
       select id, lifecycle, ownership, owned_since, own.* from sims left join jsonb_to_recordset($5) as own (sim_id bigint,
         started_at timestamptz, updated_at timestamptz, stopped_at timestamptz, ip inet, plmn integer, radio smallint, imei text,
         imei_changed_at timestamptz) on own.sim_id = sims.id
       where id = any($1::bigint[])),
     ended as (
       insert into sim_ownerships (sim_id, number, org_id, since, until)
       select id, ownership, $2, coalesce(owned_since, '-infinity'), $4 from wanted),
     moved as (
       update sims set org_id = $3, ownership = own.ownership + 1, owned_since = $4, last_imei = own.imei,
         imei_changed_at = own.imei_changed_at
       from wanted own where sims.id = own.id),
     live as (
       update sim_live set org_id = $3, cost_micros = -1, held_until = null, held_kbps = null,
         lifecycle_changes = lifecycle_changes + (held_until is not null)::integer,
         last_session_at = own.started_at, last_seen_at = own.updated_at, ip = own.ip, plmn = own.plmn, radio = own.radio, imei = own.imei,
         connection_since = coalesce(own.stopped_at, own.started_at),
         connection = case when own.started_at is null then ${connectionNumbers.unknown}
           when own.stopped_at is null then ${connectionNumbers.online} else ${connectionNumbers.offline} end
       from wanted own where sim_live.sim_id = own.id)
     insert into org_sim_counts (org_id, lifecycle, sims)
     select side.org_id, lifecycle, sum(side.change)
     from wanted cross join (values ($2::bigint, -1), ($3::bigint, 1)) as side (org_id, change)
     group by 1, 2 order by 1, 2
     on conflict (org_id, lifecycle) do update set sims = org_sim_counts.sims + excluded.sims`,
    [simIds, from, to, at, JSON.stringify(lastSeen)],
  );
  await moveTagCounts(tx, { simIds, from, to });
};
