import type { Sql } from '../../../platform/db/index.ts';
import { type NthSessionQuery, nthSessionColumns } from '../../sim/index.ts';
import { statusNumber } from '../sms.rules.ts';

/** Parts of messages to SIMs that stay counted: not those that were returned to the quotas. */
export const sumOfMtParts = `coalesce(sum(parts - coalesce(unsent_parts,
  case when status = ${statusNumber('failed')} then parts - sent_parts else 0 end)) filter (where not mobile_originated), 0)`;

interface Counted {
  orgId: number;
  /** Sent by SIMs; false: sent to them. */
  mobileOriginated: boolean;
}

/** Times at which messages of SIMs were accepted while the organisation owned them, since an instant: milliseconds, in order. */
export const listMessageTimes = async (
  sql: Sql,
  { orgId, mobileOriginated, simIds, since }: Counted & { simIds: readonly number[]; since: number },
): Promise<{ simId: number; at: number }[]> =>
  (
    await sql.query<{ simId: number; at: number }>(
      `select sim_id as "simId", (extract(epoch from at) * 1000)::float8 as at from sms_messages
       where sim_id = any($1::bigint[]) and at >= to_timestamp($4::float8 / 1000) and org_id = $2 and mobile_originated = $3
       order by sim_id, at, id`,
      [simIds, orgId, mobileOriginated, since],
    )
  ).rows;

/** When the nth message of each span was accepted; null if there were fewer. */
export const findNthMessages = async (
  sql: Sql,
  { orgId, mobileOriginated, queries }: Counted & { queries: readonly NthSessionQuery[] },
): Promise<(number | null)[]> =>
  (
    await sql.query<{ at: number | null }>(
      `select (extract(epoch from found.at) * 1000)::float8 as at
       from unnest($3::bigint[], $4::float8[], $5::float8[], $6::integer[])
         with ordinality as q (sim_id, since, until, nth, place)
       left join lateral (
         select at from sms_messages
         where sim_id = q.sim_id and at >= to_timestamp(q.since / 1000) and at < to_timestamp(q.until / 1000)
           and org_id = $1 and mobile_originated = $2
         order by at, id offset q.nth - 1 limit 1) as found on true
       order by q.place`,
      [orgId, mobileOriginated, ...nthSessionColumns(queries)],
    )
  ).rows.map(({ at }) => at);
