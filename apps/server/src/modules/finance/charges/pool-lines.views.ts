import type { Sql } from '../../../platform/db/index.ts';
import { type BilledPoolCycle, listMemberSpans } from '../../pool/index.ts';
import {
  type ChargedQuantity,
  chargesZones,
  type PoolCycleFacts,
  type TariffVersion,
} from '../../price/index.ts';
import { networkUsage } from '../../usage/index.ts';
import type { BillMonth } from '../bill.rules.ts';

export interface ChargedPoolCycle extends ChargedQuantity {
  pool_id: number;
  pool_cycle_at: Date;
}

/** What earlier months' bills charged for cycles of an organisation's pools, including corrections. */
export const listChargedPoolCycles = async (
  sql: Sql,
  { orgId, month }: { orgId: number; month: BillMonth },
): Promise<ChargedPoolCycle[]> =>
  (
    await sql.query<ChargedPoolCycle>(
      `select n.pool_id, n.pool_cycle_at, n.kind, n.unit, n.price_micros, null as bundle, null as zone,
         sum(n.quantity)::int8 as quantity, sum(n.bytes)::int8 as bytes
       from bill_lines n join bills i on i.id = n.bill_id
       where n.org_id = $1 and n.pool_id is not null and i.status <> 'obsolete' and i.month_on < $2
       group by 1, 2, 3, 4, 5`,
      [orgId, `${month.month}-01`],
    )
  ).rows;

/** Earlier months (`YYYY-MM`) with published bills of a customer: a pool may be on none of them. */
export const listBilledMonths = async (
  sql: Sql,
  { customerId, month }: { customerId: number; month: BillMonth },
): Promise<string[]> =>
  (
    await sql.query<{ month: string }>(
      `select to_char(month_on, 'YYYY-MM') as month from bill_months
       where org_id = $1 and month_on < $2 and published_at is not null`,
      [customerId, `${month.month}-01`],
    )
  ).rows.map((row) => row.month);

/**
 * The usage facts that a pool's cycle is charged by. Usage by member and country is read only if it makes a
 * difference.
 */
export const poolUsageFacts = async (
  sql: Sql,
  version: TariffVersion,
  cycle: BilledPoolCycle,
): Promise<PoolCycleFacts> => {
  const isBeyond = cycle.policy === 'no limit' && cycle.used > cycle.limit;
  const spans =
    isBeyond && chargesZones(version, cycle.bundle) ? await listMemberSpans(sql, cycle.id, cycle) : [];
  const usage = spans.length > 0 ? await networkUsage(sql, spans) : [];
  return {
    ...cycle,
    usedBytes: BigInt(cycle.used),
    limitBytes: BigInt(cycle.limit),
    byCountry: usage.map(({ country, bytes }) => ({ country, bytes: BigInt(bytes) })),
  };
};
