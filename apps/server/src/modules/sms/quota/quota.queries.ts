import type { Sql } from '../../../platform/db/index.ts';

/** Parts taken off quotas in a month. Missing rows are created; all are locked in the order of ids. */
export const lockSpent = async (
  tx: Sql,
  { orgIds, month }: { orgIds: readonly number[]; month: string },
): Promise<Map<number, number>> => {
  await tx.query(
    `insert into sms_quota_spent (org_id, month_on, parts)
     select id, $2::date, 0 from unnest($1::bigint[]) as o (id) order by id on conflict do nothing`,
    [orgIds, `${month}-01`],
  );
  const { rows } = await tx.query<{ org_id: number; parts: number }>(
    `select org_id, parts from sms_quota_spent where org_id = any($1::bigint[]) and month_on = $2
     order by sms_quota_spent.org_id for update`,
    [orgIds, `${month}-01`],
  );
  return new Map(rows.map(({ org_id, parts }) => [org_id, parts]));
};

export interface SpentChange {
  orgId: number;
  month: string;
  parts: number;
}

/** Adds to the spent parts, or subtracts from them, in the order of organisations and months. */
export const changeSpent = async (tx: Sql, changes: readonly SpentChange[]): Promise<void> => {
  if (changes.length === 0) return;
  const ordered = changes.toSorted((a, b) => a.orgId - b.orgId || a.month.localeCompare(b.month));
  for (const { orgId, month, parts } of ordered) {
    await tx.query(
      'update sms_quota_spent set parts = greatest(parts + $3, 0) where org_id = $1 and month_on = $2',
      [orgId, `${month}-01`, parts],
    );
  }
};

export interface DayCount {
  orgId: number;
  day: string;
  mt: number;
  mtParts: number;
  mo: number;
}

/**
 * Counts messages by business day; for refused parts the counts are negative. An organisation may have been deleted
 * since its message was accepted: its counts are gone, too.
 */
export const countDays = async (tx: Sql, counts: readonly DayCount[]): Promise<void> => {
  if (counts.length === 0) return;
  await tx.query(
    `insert into org_sms_daily as known (org_id, day_on, mt, mt_parts, mo)
     select v.* from unnest($1::bigint[], $2::date[], $3::bigint[], $4::bigint[], $5::bigint[])
       as v (org_id, day_on, mt, mt_parts, mo) join organisations o on o.id = v.org_id
     order by v.org_id, v.day_on for key share of o
     on conflict (org_id, day_on) do update set mt = known.mt + excluded.mt,
       mt_parts = known.mt_parts + excluded.mt_parts, mo = known.mo + excluded.mo`,
    [
      counts.map(({ orgId }) => orgId),
      counts.map(({ day }) => day),
      counts.map(({ mt }) => mt),
      counts.map(({ mtParts }) => mtParts),
      counts.map(({ mo }) => mo),
    ],
  );
};
