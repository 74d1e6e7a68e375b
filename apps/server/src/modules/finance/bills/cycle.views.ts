import type { BillCycle } from '@simcube/contract/finance';
import { dashboardDays } from '../../../platform/clock/business-day.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { simsBy } from '../../sim/index.ts';

interface BilledCycle {
  billId: number;
  line: number;
  iccid: string;
  cycleAt: string;
}

interface CycleColumns {
  sim_id: number;
  started_at: Date;
  ends_at: Date;
  /** Where the cycle before ended: what lies between counts in this one. */
  counts_from: Date;
  limit_bytes: number | null;
  /** In whose section the line is: what another had used counts towards the quota and is not shown. */
  org_id: number;
}

interface DayColumns {
  day: string;
  bytes: number;
  beyond_bytes: number;
  used_up_at: Date | null;
  within: number;
  beyond: number;
}

/** A SIM's cycle that a line charges, by its records; undefined where the line charges no such cycle. */
export const findBilledCycle = async (sql: Sql, wanted: BilledCycle): Promise<BillCycle | undefined> => {
  const { rows: cycles } = await sql.query<CycleColumns>(
    `select c.sim_id, n.org_id, k.cycle_started_at as started_at, k.cycle_ends_at as ends_at, k.limit_bytes, coalesce((
       select max(f.cycle_ends_at) from usage_cycles f
       where f.sim_id = c.sim_id and f.cycle_started_at < k.cycle_started_at), '-infinity') as counts_from
     from bill_charges c join bill_lines n on n.bill_id = c.bill_id and n.line = c.line
     join ${simsBy('iccid')} i on i.sim_id = c.sim_id cross join lateral (
       select cycle_started_at, cycle_ends_at, limit_bytes from usage_cycles
       where sim_id = c.sim_id and cycle_started_at = c.cycle_started_at
       union all
       select cycle_started_at, cycle_ends_at, limit_bytes from sim_live
       where sim_id = c.sim_id and cycle_started_at = c.cycle_started_at) as k
     where c.bill_id = $1 and c.line = $2 and i.value = $3 and c.cycle_started_at = $4`,
    [wanted.billId, wanted.line, wanted.iccid, wanted.cycleAt],
  );
  const [cycle] = cycles;
  if (!cycle) return undefined;
  const days = await listDays(sql, cycle);
  const sum = (of: (one: DayColumns) => number): number => days.reduce((total, one) => total + of(one), 0);
  return {
    started_at: cycle.started_at.toISOString(),
    ends_at: cycle.ends_at.toISOString(),
    limit_bytes: cycle.limit_bytes,
    used_bytes: sum(({ bytes }) => bytes),
    used_up_at: days.find(({ used_up_at: at }) => at !== null)?.used_up_at?.toISOString() ?? null,
    records: { within: sum(({ within }) => within), beyond: sum(({ beyond }) => beyond) },
    days: days.map(({ day, bytes, beyond_bytes }) => ({ day, bytes, beyond_bytes })),
  };
};

const listDays = async (sql: Sql, cycle: CycleColumns): Promise<DayColumns[]> =>
  (
    await sql.query<DayColumns>(
      `select to_char((ended_at + make_interval(mins => $5)) at time zone 'UTC', 'YYYY-MM-DD') as day,
         sum(bytes)::int8 as bytes, coalesce(sum(least(bytes, total - $4)) filter (where total > $4), 0)::int8 as beyond_bytes,
         min(ended_at) filter (where total > $4) as used_up_at,
         (count(*) filter (where total > $4 is not true))::int as within, (count(*) filter (where total > $4))::int as beyond
       from (
         select org_id, ended_at, up_bytes + down_bytes as bytes,
           sum(up_bytes + down_bytes) over (order by ended_at, dedupe_key) as total
         from cdrs where sim_id = $1 and ended_at >= $2 and ended_at < $3) as r
       where org_id = $6 group by 1 order by 1`,
      [
        cycle.sim_id,
        cycle.counts_from,
        cycle.ends_at,
        cycle.limit_bytes,
        dashboardDays.offsetMinutes,
        cycle.org_id,
      ],
    )
  ).rows;

/** Whether a SIM is the organisation's, or on its bill. */
export const isOfBill = async (
  sql: Sql,
  { orgId, billId, iccid }: { orgId: number; billId: number; iccid: string },
): Promise<boolean> =>
  (
    await sql.query(
      `select from ${simsBy('iccid')} i join sims s on s.id = i.sim_id
       where i.value = $1 and (s.org_id = $2
         or exists (select from bill_sims m where m.bill_id = $3 and m.sim_id = s.id))`,
      [iccid, orgId, billId],
    )
  ).rows.length > 0;
