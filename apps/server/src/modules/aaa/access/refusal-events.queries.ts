import type { RejectReason } from '@simcube/contract/sim';
import type { Sql } from '../../../platform/db/index.ts';

export interface Refusal {
  simId: number;
  reason: RejectReason;
  /** The requested APN, and the visited network; null if the gateway did not report it. */
  apn: string | null;
  plmn: string | null;
}

/** A rejection that lasts this long is reported again. */
const reportAgainAfter = '24 hours';

/** A rejection to be reported. */
export interface NewRefusal extends Refusal {
  org_id: number;
  iccid: string;
}

/**
 * Records rejections by SIM and reason that are new: the first, the first after the SIM was accepted, or the first
 * after a day. Each SIM and reason may be passed at most once. If two servers reject the same concurrently, one of
 * them gets it.
 */
export const insertRefusals = async (
  sql: Sql,
  refusals: readonly Refusal[],
  now: Date,
): Promise<NewRefusal[]> => {
  const { rows } = await sql.query<NewRefusal>(
    `with refused as (
       select * from unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) as r (sim_id, reason, apn, plmn)),
     -- Looked at before anything is written: a device that tries again costs a look, not a row version.
     fresh as (
       select r.* from refused r where not exists (
         select from access_refusals a where a.sim_id = r.sim_id and a.reason = r.reason
           and a.told_at > $5::timestamptz - interval '${reportAgainAfter}')),
     told as (
       insert into access_refusals as a (sim_id, reason, told_at)
       select sim_id, reason, $5 from fresh order by sim_id, reason
       on conflict (sim_id, reason) do update set told_at = excluded.told_at
         where a.told_at <= excluded.told_at - interval '${reportAgainAfter}'
       returning sim_id, reason)
     select s.id as "simId", s.org_id, s.iccid, f.reason, f.apn, f.plmn
     from told join fresh f using (sim_id, reason) join sims s on s.id = f.sim_id`,
    [
      refusals.map(({ simId }) => simId),
      refusals.map(({ reason }) => reason),
      refusals.map(({ apn }) => apn),
      refusals.map(({ plmn }) => plmn),
      now,
    ],
  );
  return rows;
};

/** Their next rejection is reported again, because they were accepted. Written in the order of keys. */
export const clearRefusals = async (tx: Sql, simIds: readonly number[]): Promise<void> => {
  await tx.query({
    name: 'aaa-forget-refusals',
    text: `delete from access_refusals where (sim_id, reason) in (
             select sim_id, reason from access_refusals where sim_id = any($1::bigint[])
             order by sim_id, reason for update)`,
    values: [simIds],
  });
};

/** Deletes rejections that are too old to suppress anything. */
export const trimRefusals = async (sql: Sql, now: Date): Promise<void> => {
  await sql.query(
    `delete from access_refusals where (sim_id, reason) in (
       select sim_id, reason from access_refusals where told_at < $1::timestamptz - interval '${reportAgainAfter}'
       order by told_at limit 100000)`,
    [now],
  );
};
