import type { SimEventKind } from '@simcube/contract/sim';
import type { Sql } from '../../../platform/db/index.ts';

/** A change of a SIM from something to something, in its organisation's time. */
export interface PastChange {
  simId: number;
  /** Milliseconds. */
  at: number;
  from: string;
  to: string;
}

/** Events of a kind that says from what to what; of SIMs, since an instant. */
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
    kind: Extract<SimEventKind, 'lifecycle-changed' | 'imei-changed'>;
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
