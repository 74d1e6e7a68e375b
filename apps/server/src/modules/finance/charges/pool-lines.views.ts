import type { Sql } from '../../../platform/db/index.ts';
import type { ChargedQuantity } from '../../price/index.ts';
import type { BillMonth } from '../bill.rules.ts';

export interface ChargedPoolCycle extends ChargedQuantity {
  pool_id: number;
  pool_cycle_at: Date;
}

/** What earlier months' bills charged for the usage of cycles of an organisation's pools, including corrections. */
export const listChargedPoolCycles = async (
  sql: Sql,
  { orgId, month }: { orgId: number; month: BillMonth },
): Promise<ChargedPoolCycle[]> =>
  (
    await sql.query<ChargedPoolCycle>(
      `select n.pool_id, n.pool_cycle_at, n.kind, n.unit, n.price_micros, null as bundle, null as zone,
         sum(n.quantity)::int8 as quantity, sum(n.bytes)::int8 as bytes
       from bill_lines n join bills i on i.id = n.bill_id
       where n.org_id = $1 and n.pool_id is not null and n.kind = 'over-pool-limit' and i.status <> 'obsolete' and i.month_on < $2
       group by 1, 2, 3, 4, 5`,
      [orgId, `${month.month}-01`],
    )
  ).rows;
