import type { Sql } from '../../../platform/db/index.ts';
import { type BilledPoolCycle, listChargedCycles } from '../../pool/index.ts';
import { billMonth } from '../bill.rules.ts';
import type { TariffSection } from '../charges/section.rules.ts';

interface LineColumns {
  pool_id: number;
  cycle_at: Date;
  org_id: number;
  customer_id: number;
  month: string;
  /** The tariff by which the bill was reissued. */
  tariff_id: number | null;
}

export interface PoolOfLine {
  cycle: BilledPoolCycle;
  /** That of the line. */
  section: TariffSection;
}

/** The pool's cycle of a bill's line, as known now; undefined for lines of other kinds. */
export const findPoolOfLine = async (
  sql: Sql,
  { billId, line }: { billId: number; line: number },
): Promise<PoolOfLine | undefined> => {
  const { rows } = await sql.query<LineColumns>(
    `select n.pool_id, n.pool_cycle_at as cycle_at, n.org_id, b.org_id as customer_id, b.tariff_id,
       to_char(b.month_on, 'YYYY-MM') as month
     from bill_lines n join bills b on b.id = n.bill_id where n.bill_id = $1 and n.line = $2 and n.pool_id is not null`,
    [billId, line],
  );
  const [row] = rows;
  if (!row) return undefined;
  const { org_id: orgId, customer_id: customerId, pool_id: id, cycle_at: at } = row;
  const cycles = await listChargedCycles(sql, { orgId, from: at, until: new Date(at.getTime() + 1) });
  const cycle = cycles.find((one) => one.id === id);
  const section = { orgId, customerId, month: billMonth(row.month), tariffId: row.tariff_id };
  return cycle && { cycle, section };
};
