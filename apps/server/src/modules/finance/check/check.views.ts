import type { BillLineKind, BillUnit } from '@simcube/contract/finance';
import { int8Column, type Sql, timestampColumn } from '../../../platform/db/index.ts';
import type { Named } from '../../price/index.ts';
import { billNumber } from '../bill.rules.ts';
import type { BilledAmount, BillSums, ItemFacts } from './check.rules.ts';

export interface BillToCheck extends BillSums {
  id: number;
  serial: number;
  org_id: number;
  month: string;
  type: 'post-payment' | 'advance' | 'credit' | 'predeposit';
  currency: string;
  tariff_id: number | null;
}

/** The newest version of a bill, with the sums of its parts. */
export const findBillToCheck = async (sql: Sql, serial: number): Promise<BillToCheck | undefined> =>
  (
    await sql.query<BillToCheck>(
      `select b.id, b.serial, b.org_id, to_char(b.month_on, 'YYYY-MM') as month, b.type, b.currency, b.tariff_id,
         b.total_minor::text as total,
         (select coalesce(sum(amount_minor), 0)::text from bill_lines where bill_id = b.id) as summed,
         (select count(*)::int from bill_lines n where n.bill_id = b.id and n.pool_id is null and n.quantity <> (
            select coalesce(sum(quantity), 0) from bill_charges where bill_id = n.bill_id and line = n.line)) as unlike,
         (select count(*)::int from (
            select c.sim_id, sum(c.quantity * n.price_micros) as amount_micros
            from bill_charges c join bill_lines n on n.bill_id = c.bill_id and n.line = c.line
            where c.bill_id = b.id group by 1) as c
          full join (select sim_id, amount_micros from bill_sims where bill_id = b.id) as m using (sim_id)
          where c.amount_micros is distinct from m.amount_micros) as unlike_sims
       from bills b where b.serial = $1 order by b.version desc limit 1`,
      [serial],
    )
  ).rows[0];

/** Numbers of all published bills that were not replaced, the oldest first. */
export const listBillNumbers = async (sql: Sql): Promise<string[]> =>
  (
    await sql.query<{ month: string; serial: number }>(
      `select to_char(month_on, 'YYYY-MM') as month, serial::int as serial from bills
       where status in ('published', 'paid') order by month_on, serial`,
    )
  ).rows.map(billNumber);

interface ItemColumns {
  org_id: number;
  kind: BillLineKind;
  bundle: Named | null;
  zone: Named | null;
  pool_id: number | null;
  pool_name: string | null;
  pool_cycle_at: Date | null;
  unit: BillUnit;
  price_micros: string;
  tariff_version_id: number;
  tariff: Named;
  starts_on: string;
  currency: string;
  quantity: string;
}

const namedColumn = (of: string) =>
  `case when n.${of}_code is not null then json_build_object('code', n.${of}_code, 'name', n.${of}_name) end as ${of}`;

/** The item of a line `n` of a bill `b`. */
const itemColumns = `n.org_id, n.kind, ${namedColumn('bundle')}, ${namedColumn('zone')}, n.pool_id, n.pool_name,
  n.pool_cycle_at, n.unit, n.price_micros::text, n.tariff_version_id, b.currency,
  json_build_object('code', n.tariff_code, 'name', n.tariff_name) as tariff, n.tariff_starts_on::text as starts_on`;

const toItem = (row: ItemColumns): ItemFacts & { quantity: bigint } => {
  const { org_id: orgId, kind, bundle, zone, unit, pool_id, pool_name, pool_cycle_at, ...own } = row;
  const { tariff_version_id: id, tariff, starts_on: startsOn, currency } = own;
  return {
    orgId,
    kind,
    bundle,
    zone,
    unit,
    version: { id, tariff, startsOn, currency },
    pool:
      pool_id === null || pool_cycle_at === null
        ? null
        : { id: pool_id, name: pool_name ?? '', cycleAt: pool_cycle_at },
    priceMicros: BigInt(own.price_micros),
    quantity: BigInt(own.quantity),
  };
};

/** The stored amount of each line of a bill. */
export const listBilledAmounts = async (sql: Sql, billId: number): Promise<BilledAmount[]> =>
  (
    await sql.query<ItemColumns & { amount: string }>(
      `select ${itemColumns}, n.quantity::text, n.amount_minor::text as amount
       from bill_lines n join bills b on b.id = n.bill_id where n.bill_id = $1 order by n.line`,
      [billId],
    )
  ).rows.map((row) => ({ ...toItem(row), amount: BigInt(row.amount) }));

/** Lines `n` of bills `b` for a bill's month: its own, and corrections by other bills. */
const linesOfMonth = `
  bills b join bill_lines n on n.bill_id = b.id
  where b.org_id = $2 and b.currency = $4 and (b.id = $1 and n.corrects_on is null
    or b.type <> 'advance' and $3 <> 'advance' and b.status <> 'obsolete' and n.corrects_on = $5)`;

const ofBill = ({ id, org_id, type, currency, month }: BillToCheck) => [
  ...[id, org_id, type, currency],
  `${month}-01`,
];

/** What was billed for a bill's month, line by line. */
export const listBilledQuantities = async (
  sql: Sql,
  bill: BillToCheck,
): Promise<ReturnType<typeof toItem>[]> =>
  (
    await sql.query<ItemColumns>(
      `select ${itemColumns}, n.quantity::text from ${linesOfMonth} order by b.id, n.line`,
      ofBill(bill),
    )
  ).rows.map(toItem);

/** What was billed to a section for a bill's month for the usage of some cycles. */
export const listLateQuantities = async (
  sql: Sql,
  bill: BillToCheck,
  { orgId, cycles }: { orgId: number; cycles: readonly LateCycle[] },
): Promise<ReturnType<typeof toItem>[]> =>
  (
    await sql.query<ItemColumns>(
      `select n.*, c.quantity::text from (select ${itemColumns}, n.bill_id, n.line from ${linesOfMonth}
         and n.kind in ('over-quota', 'out-of-coverage') and n.org_id = $8) as n
       join bill_charges c on c.bill_id = n.bill_id and c.line = n.line
       join unnest($6::bigint[], $7::timestamptz[]) as k (sim_id, started_at)
         on k.sim_id = c.sim_id and k.started_at = c.cycle_started_at`,
      [
        ...ofBill(bill),
        int8Column(cycles, ({ simId }) => simId),
        timestampColumn(cycles, ({ cycleAt }) => cycleAt.getTime()),
        orgId,
      ],
    )
  ).rows.map(toItem);

/** Organisations by id, with the names that they had when a bill was issued. */
export const listPartyNames = async (
  sql: Sql,
  billId: number,
  ids: readonly number[],
): Promise<Map<number, Named>> =>
  new Map(
    (
      await sql.query<Named & { id: number }>(
        `select k.id, coalesce(p.code, o.code, '') as code, coalesce(p.name, o.name, '') as name
         from unnest($2::bigint[]) as k (id) left join bill_parties p on p.bill_id = $1 and p.org_id = k.id
         left join organisations o on o.id = k.id`,
        [billId, ids],
      )
    ).rows.map(({ id, code, name }) => [id, { code, name }]),
  );

/**
 * Since when a bill needs the records that it was charged by: usage of cycles and pools' cycles, and messages. Null if it
 * charges only fees. Without a bundle, cycles are months: usage after a former cycle's end counts in the next one for a
 * month at most.
 */
export const findFirstRecords = async (sql: Sql, billId: number): Promise<Date | null> =>
  (
    await sql.query<{ since: Date | null }>(
      `with charged as (
         select n.* from bill_lines n where n.bill_id = $1 and n.corrects_on is null
         union all
         select n.* from bills b join bills o on o.org_id = b.org_id and o.currency = b.currency
           and o.type <> 'advance' and o.status <> 'obsolete'
         join bill_lines n on n.bill_id = o.id and n.corrects_on = b.month_on
         where b.id = $1 and b.type <> 'advance')
       select min(case
         when n.kind in ('sms-mt', 'sms-mo') then c.cycle_started_at
         when n.kind = 'over-pool-limit' then n.pool_cycle_at
         else greatest(c.cycle_started_at - interval '31 days', coalesce((
           select max(f.cycle_ends_at) from usage_cycles f
           where f.sim_id = c.sim_id and f.cycle_started_at < c.cycle_started_at), c.cycle_started_at)) end) as since
       from charged n left join bill_charges c on c.bill_id = n.bill_id and c.line = n.line
       where n.kind in ('over-quota', 'out-of-coverage', 'over-pool-limit', 'sms-mt', 'sms-mo')`,
      [billId],
    )
  ).rows[0]?.since ?? null;

/** Cycles `u` whose usage differs from what the last bill with them assumed, since a month. */
const lateCycles = (ofBills: string): string => `
  (select distinct on (k.sim_id, k.cycle_started_at, k.org_id) k.* from bill_cycles k where ${ofBills}
   order by k.sim_id, k.cycle_started_at, k.org_id, k.month_on desc) as k
  join usage_cycles u on u.sim_id = k.sim_id and u.cycle_started_at = k.cycle_started_at
  where (u.used_bytes, u.limit_bytes) is distinct from (k.used_bytes, k.limit_bytes)`;

/** Number of late cycles of a bill's month. */
export const countLateCycles = async (sql: Sql, { org_id, month }: BillToCheck): Promise<number> =>
  (
    await sql.query<{ late: number }>(
      `select count(*)::int as late from ${lateCycles(`k.customer_id = $1 and k.month_on >= $2 and exists (
         select from bill_cycles o where o.sim_id = k.sim_id and o.cycle_started_at = k.cycle_started_at
           and o.org_id = k.org_id and o.month_on = $2)`)}`,
      [org_id, `${month}-01`],
    )
  ).rows[0]?.late ?? 0;

export interface LateCycle {
  simId: number;
  cycleAt: Date;
  /** As counted by now. */
  usedBytes: number;
}

/** Late cycles of SIMs, of all organisations that were billed for them: usage in zones is charged to former owners, too. */
export const listLateCycles = async (
  sql: Sql,
  { month }: BillToCheck,
  simIds: readonly number[],
): Promise<LateCycle[]> =>
  (
    await sql.query<LateCycle>(
      `select distinct u.sim_id as "simId", u.cycle_started_at as "cycleAt", u.used_bytes as "usedBytes"
       from ${lateCycles('k.sim_id = any($1::bigint[]) and k.month_on >= $2')}`,
      [simIds, `${month}-01`],
    )
  ).rows;
