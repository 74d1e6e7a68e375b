import type { SimEventKind } from '@simcube/contract/sim';
import type { Sql } from '../../../platform/db/index.ts';
import { connectionNumbers } from '../../sim/index.ts';
import { forgetRefusals } from '../access/refusal-events.queries.ts';

const imeiChanged: SimEventKind = 'imei-changed';

/**
 * Resets location, device and connection of transferred SIMs to what was last seen while the new organisation owned
 * them, if it ever did, and restarts the suppression of rejection events. The new organisation must not see what the
 * former one saw. The next accounting record overwrites this. The caller has locked the live state.
 */
export const restoreOwnLastSeen = async (
  tx: Sql,
  { simIds, orgId }: { simIds: readonly number[]; orgId: number },
): Promise<void> => {
  await tx.query(
    `with last as (
       select distinct on (sim_id) sim_id, started_at, updated_at, stopped_at, ip, plmn, radio, imei from radius_sessions
       where sim_id = any($1::bigint[]) and org_id = $2
       order by sim_id, stopped_at is null desc, updated_at desc),
     own as (
       select w.sim_id, last.started_at, last.updated_at, last.stopped_at, last.ip, last.plmn, last.radio, last.imei
       from unnest($1::bigint[]) as w (sim_id) left join last on last.sim_id = w.sim_id),
     changed as (
       select sim_id, max(at) as at from sim_events
       where sim_id = any($1::bigint[]) and org_id = $2 and kind = '${imeiChanged}' group by sim_id),
     seen as (
       update sim_live l set last_session_at = own.started_at, last_seen_at = own.updated_at, ip = own.ip,
         plmn = own.plmn, radio = own.radio, imei = own.imei,
         connection_since = coalesce(own.stopped_at, own.started_at),
         connection = case when own.started_at is null then ${connectionNumbers.unknown}
           when own.stopped_at is null then ${connectionNumbers.online} else ${connectionNumbers.offline} end
       from own where l.sim_id = own.sim_id)
     update sims s set last_imei = own.imei, imei_changed_at = changed.at
     from own left join changed on changed.sim_id = own.sim_id where s.id = own.sim_id and (s.last_imei is distinct from own.imei or s.imei_changed_at is not null)`,
    [simIds, orgId],
  );
  await forgetRefusals(tx, simIds);
};
