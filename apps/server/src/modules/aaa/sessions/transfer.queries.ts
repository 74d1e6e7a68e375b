import type { SimEventKind } from '@simcube/contract/sim';
import type { Sql } from '../../../platform/db/index.ts';
import type { LastSeen } from '../../sim/index.ts';

const imeiChanged: SimEventKind = 'imei-changed';

/**
 * Location, device and session of SIMs as last seen while this organisation owned them, null if it never did. A transfer resets the
 * SIMs to this, because the new organisation must not see what the former one saw. The next accounting record overwrites it.
 */
export const findOwnSights = async (
  tx: Sql,
  { simIds, orgId }: { simIds: readonly number[]; orgId: number },
): Promise<LastSeen[]> => {
  const { rows } = await tx.query<LastSeen>(
    `with last as (
       select distinct on (sim_id) sim_id, started_at, updated_at, stopped_at, ip, plmn, radio, imei from radius_sessions s
       where sim_id = any($1::bigint[]) and org_id = $2
       order by sim_id, s.stopped_at is null desc, s.updated_at desc),
     changed as (
       select sim_id, max(at) as at from sim_events
       where sim_id = any($1::bigint[]) and org_id = $2 and kind = '${imeiChanged}' group by sim_id)
     select w.sim_id, last.started_at::text, last.updated_at::text, last.stopped_at::text, last.ip::text, last.plmn, last.radio,
       last.imei, changed.at::text as imei_changed_at
     from unnest($1::bigint[]) as w (sim_id) left join last on last.sim_id = w.sim_id
       left join changed on changed.sim_id = w.sim_id`,
    [simIds, orgId],
  );
  return rows;
};
