import type { Sql } from '../../../platform/db/index.ts';
import { moveTagCounts } from '../tags/tags.queries.ts';

export interface Move {
  simIds: readonly number[];
  /** Ids of the organisations. */
  from: number;
  to: number;
  at: Date;
}

/** Whether the organisation still exists; if so, it is locked against removal. */
export const holdTarget = async (tx: Sql, orgId: number): Promise<boolean> =>
  (await tx.query('select from organisations where id = $1 for key share', [orgId])).rowCount === 1;

/**
 * Locks the live state of SIMs in the order of ids. Intake writes it before it writes SIMs, so transactions
 * that need both must lock them in the same order to avoid a deadlock.
 */
export const lockLive = async (tx: Sql, simIds: readonly number[]): Promise<void> => {
  await tx.query('select from sim_live where sim_id = any($1::bigint[]) order by sim_id for no key update', [
    simIds,
  ]);
};

/**
 * Transfers locked SIMs to another organisation: SIMs, live state, counts and tags. Intake writes usage only
 * over the live state that it has read, including the organisation, so usage counts for the former organisation
 * until this transaction and for the new one afterwards, never for both.
 */
export const moveSims = async (tx: Sql, { simIds, from, to, at }: Move): Promise<void> => {
  await tx.query(
    `with wanted as (
       select id, lifecycle, ownership, owned_since from sims where id = any($1::bigint[])),
     ended as (
       insert into sim_ownerships (sim_id, number, org_id, since, until)
       select id, ownership, $2, coalesce(owned_since, '-infinity'), $4 from wanted),
     moved as (
       update sims set org_id = $3, ownership = wanted.ownership + 1, owned_since = $4
       from wanted where sims.id = wanted.id),
     live as (update sim_live set org_id = $3, cost_micros = -1 from wanted where sim_live.sim_id = wanted.id)
     insert into org_sim_counts (org_id, lifecycle, sims)
     select side.org_id, lifecycle, sum(side.change)
     from wanted cross join (values ($2::bigint, -1), ($3::bigint, 1)) as side (org_id, change)
     group by 1, 2 order by 1, 2
     on conflict (org_id, lifecycle) do update set sims = org_sim_counts.sims + excluded.sims`,
    [simIds, from, to, at],
  );
  await moveTagCounts(tx, { simIds, from, to });
};
