import { limits } from '@simcube/contract';
import type { BillSim, billSimSorts } from '@simcube/contract/finance';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import type { List } from '../../../platform/lists/index.ts';
import { basicOrderIn } from '../../bundle/index.ts';
import { simsBy, spellingsOf } from '../../sim/index.ts';

interface SimColumns {
  sim_id: number;
  iccid: string;
  device_name: string | null;
  amount_micros: number;
}

type Sort = (typeof billSimSorts)[number];
interface SimSearch {
  search?: string | undefined;
}

const search = (number: string): RawBuilder<boolean> =>
  sql`sim_id in (select i.sim_id from ${sql.raw(simsBy())} i where i.value = any(${spellingsOf(number)}::text[]))`;

/**
 * The name of a SIM (s), if it belongs to the organisation of its section of the bill: another organisation's
 * names must not be shown.
 */
export const deviceNameOnBill = (billId: string): string => `case when exists (
  select from bill_charges c join bill_lines n on n.bill_id = c.bill_id and n.line = c.line
  where c.sim_id = s.id and c.bill_id = ${billId} and n.org_id = s.org_id) then s.device_name end`;

const simColumns = sql.raw(`sim_id, (select s.iccid from sims s where s.id = sim_id) as iccid,
  (select ${deviceNameOnBill('m.bill_id')} from sims s where s.id = sim_id) as device_name`);

/** Each SIM's part of a bill; charges are read only for the SIMs shown. */
export const simList: List<{ billId: number }, SimSearch, SimColumns, BillSim, Sort> = {
  name: 'finance.sims',
  tables: [
    {
      name: 'sims',
      from: () => sql`bill_sims m`,
      inScope: ({ scope }) => sql<boolean>`bill_id = ${scope.billId}`,
    },
  ],
  key: { column: 'sim_id', type: 'integer' },
  sorts: { amount: { column: 'amount_micros', type: 'integer' } },
  order: [],
  filters: { search },
  countLimit: limits.countedTotal,
  select: sql`${simColumns}, amount_micros`,
  show: (rows, { db, scope }) => withCharges(db, scope, rows),
};

/** Each SIM's part of one line of a bill. A line has one price, so ordering by quantity orders by amount. */
export const lineSimList: List<{ billId: number; line: number }, SimSearch, SimColumns, BillSim, Sort> = {
  name: 'finance.line-sims',
  tables: [
    {
      name: 'charges',
      from: () => sql`bill_charges m`,
      inScope: ({ scope }) =>
        sql<boolean>`bill_id = ${scope.billId} and line = ${scope.line} and sim_quantity is not null`,
    },
  ],
  key: { column: 'sim_id', type: 'integer' },
  sorts: { amount: { column: 'sim_quantity', type: 'integer' } },
  order: [],
  filters: { search },
  countLimit: limits.countedTotal,
  select: sql`${simColumns}, sim_quantity * (
    select n.price_micros from bill_lines n where n.bill_id = m.bill_id and n.line = m.line) as amount_micros`,
  show: (rows, { db, scope }) => withCharges(db, scope, rows),
};

interface ChargeColumns extends Omit<BillSim['charges'][number], 'cycle_started_at' | 'cycle_ends_at'> {
  sim_id: number;
  cycle_started_at: Date;
  cycle_ends_at: Date | null;
}

const withCharges = async (
  db: Db,
  { billId, line = null }: { billId: number; line?: number | null },
  rows: readonly SimColumns[],
): Promise<BillSim[]> => {
  const { rows: charges } = await sql<ChargeColumns>`select c.sim_id, c.line, c.cycle_started_at,
      case when n.kind in ('sms-mt', 'sms-mo') then c.cycle_started_at + interval '24 hours' else (
        select least(k.cycle_ends_at, o.expires_at) from (
          select sim_id, cycle_started_at, cycle_ends_at from usage_cycles
          union all
          select sim_id, cycle_started_at, cycle_ends_at from sim_live) as k
        left join lateral (${sql.raw(basicOrderIn('k'))}) as o on true
        where k.sim_id = c.sim_id and k.cycle_started_at = c.cycle_started_at limit 1) end as cycle_ends_at,
      c.quantity, c.bytes, c.quantity * n.price_micros as amount_micros
    from bill_charges c join bill_lines n on n.bill_id = c.bill_id and n.line = c.line
    where c.bill_id = ${billId} and c.sim_id = any(${rows.map(({ sim_id }) => sim_id)}::bigint[])
      and (${line}::integer is null or c.line = ${line})
    order by c.cycle_started_at, c.line`.execute(db);
  return rows.map(({ sim_id: id, iccid, device_name, amount_micros }) => ({
    iccid,
    device_name,
    amount_micros,
    charges: charges
      .filter(({ sim_id }) => sim_id === id)
      .map(({ sim_id: _, ...charge }) => ({
        ...charge,
        cycle_started_at: charge.cycle_started_at.toISOString(),
        cycle_ends_at: charge.cycle_ends_at?.toISOString() ?? null,
      })),
  }));
};
