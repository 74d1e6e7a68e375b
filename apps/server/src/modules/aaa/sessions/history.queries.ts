import type { Sql } from '../../../platform/db/index.ts';
import { connectionNumbers, recordSimEvents, simEvent, simsBy } from '../../sim/index.ts';

/** A SIM moved to another device at this time. Times are ISO 8601. */
export interface ImeiChange {
  iccid: string;
  at: string;
  from: string;
  to: string;
}

/** Where a SIM was last seen, and in which device. */
export interface LastSeen {
  iccid: string;
  at: string;
  mcc: string;
  mnc: string;
  imei: string;
}

/*
 * Records what the network showed of SIMs before their gateway used this server: CDR files contain usage, but no
 * sessions to derive it from.
 */

export const recordFormerImeis = async (tx: Sql, changes: readonly ImeiChange[]): Promise<void> => {
  const { rows } = await tx.query<{ simId: number; orgId: number; at: Date; from: string; to: string }>(
    `with changed as (
       select s.id, s.org_id, t.at, t.former, t.latter
       from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[]) as t (iccid, at, former, latter)
       join ${simsBy('iccid')} i on i.value = t.iccid join sims s on s.id = i.sim_id),
     last as (
       update sims s set imei_changed_at = l.at from (select id, max(at) as at from changed group by id) l
       where s.id = l.id)
     select id as "simId", org_id as "orgId", at, former as "from", latter as "to" from changed`,
    [
      changes.map(({ iccid }) => iccid),
      changes.map(({ at }) => at),
      changes.map(({ from }) => from),
      changes.map(({ to }) => to),
    ],
  );
  await recordSimEvents(
    tx,
    rows.map(({ from, to, ...where }) => ({ ...where, ...simEvent('imei-changed', { from, to }) })),
  );
};

/** Sets SIMs to the state in which their last session would have left them; SIMs that were seen later stay unchanged. */
export const writeLastSeen = async (tx: Sql, seen: readonly LastSeen[]): Promise<void> => {
  await tx.query(
    `update sim_live l set connection = ${connectionNumbers.offline}, connection_since = t.at, last_seen_at = t.at,
       last_session_at = t.at, plmn = t.mcc::int * 1000 + t.mnc::int, imei = t.imei
     from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[]) as t (iccid, at, mcc, mnc, imei)
     join ${simsBy('iccid')} i on i.value = t.iccid
     where l.sim_id = i.sim_id and (l.last_seen_at is null or l.last_seen_at < t.at)`,
    [
      seen.map(({ iccid }) => iccid),
      seen.map(({ at }) => at),
      seen.map(({ mcc }) => mcc),
      seen.map(({ mnc }) => mnc),
      seen.map(({ imei }) => imei),
    ],
  );
};
