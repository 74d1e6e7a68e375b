import type { SmsUsage } from '@simcube/contract/sms';
import { addDays, dashboardDays, daysFrom } from '../../../platform/clock/business-day.ts';
import type { Sql } from '../../../platform/db/index.ts';

/** Parts taken off the quotas of these organisations in a month. */
export const listSpent = async (
  sql: Sql,
  { orgIds, month }: { orgIds: readonly number[]; month: string },
): Promise<Map<number, number>> => {
  const { rows } = await sql.query<{ org_id: number; parts: number }>(
    'select org_id, parts from sms_quota_spent where org_id = any($1::bigint[]) and month_on = $2',
    [orgIds, `${month}-01`],
  );
  return new Map(rows.map(({ org_id, parts }) => [org_id, parts]));
};

/** Parts that organisations directly below used of the quota that they inherit, with those below them. */
export const sumSpentBelow = async (
  sql: Sql,
  { orgId, month }: { orgId: number; month: string },
): Promise<number> => {
  const { rows } = await sql.query<{ parts: number }>(
    `select coalesce(sum(q.parts), 0)::int8 as parts from organisations o
     join sms_quota_spent q on q.org_id = o.id and q.month_on = $2
     where o.parent_id = $1 and o.sms_quota_kind = 'inherit'`,
    [orgId, `${month}-01`],
  );
  return rows[0]?.parts ?? 0;
};

type Day = SmsUsage['days'][number];

const daysShown = 31;

/** Messages of the month so far and of each of the last business days. */
export const readUsage = async (sql: Sql, orgId: number, now: Date): Promise<Omit<SmsUsage, 'quota'>> => {
  const today = dashboardDays.dayOf(now);
  const month = dashboardDays.monthOf(now);
  const first = addDays(today, 1 - daysShown);
  const { rows } = await sql.query<Day>(
    `select to_char(day_on, 'YYYY-MM-DD') as day, mt, mt_parts, mo from org_sms_daily
     where org_id = $1 and day_on between least($2::date, $3::date) and $4::date`,
    [orgId, first, `${month}-01`, today],
  );
  const known = new Map(rows.map((row) => [row.day, row]));
  const ofMonth = rows.filter(({ day }) => day.startsWith(month));
  const sum = (of: (day: Day) => number) => ofMonth.reduce((total, day) => total + of(day), 0);
  return {
    mt: sum(({ mt }) => mt),
    mt_parts: sum(({ mt_parts }) => mt_parts),
    mo: sum(({ mo }) => mo),
    days: daysFrom(first, today).map((day) => known.get(day) ?? { day, mt: 0, mt_parts: 0, mo: 0 }),
  };
};
