import type { Amount } from '@simcube/contract/price';
import type { Sql } from '../../../platform/db/index.ts';
import { lineAmount } from '../../price/index.ts';

interface BilledQuantity {
  started_at: Date;
  currency: string;
  price_micros: string;
  quantity: string;
}

/**
 * What a settlement customer's issued bills charge it for cycles of its SIM whose usage they contain, by the start of
 * the cycle; a draft may still change. As the cost of a running cycle, each of its charges is rounded.
 */
export const findBilledCosts = async (
  sql: Sql,
  { orgId, simId }: { orgId: number; simId: number },
): Promise<ReadonlyMap<string, Amount>> => {
  const { rows } = await sql.query<BilledQuantity>(
    `select c.cycle_started_at as started_at, b.currency, n.price_micros::text, sum(c.quantity)::text as quantity
     from bill_charges c join bill_lines n on n.bill_id = c.bill_id and n.line = c.line join bills b on b.id = c.bill_id
     where c.sim_id = $1 and b.org_id = $2 and n.org_id = $2 and b.status in ('published', 'paid')
       and n.kind not in ('sms-mt', 'sms-mo')
       and exists (
         select from bill_cycles k where k.sim_id = c.sim_id and k.cycle_started_at = c.cycle_started_at
           and k.org_id = $2 and k.customer_id = $2)
     group by c.cycle_started_at, b.currency, n.kind, n.bundle_code, n.zone_code, n.price_micros`,
    [simId, orgId],
  );
  const costs = new Map<string, Amount>();
  for (const { started_at, currency, price_micros, quantity } of rows) {
    const start = started_at.toISOString();
    const amount = lineAmount({ quantity: BigInt(quantity), priceMicros: BigInt(price_micros), currency });
    const { amount_minor: sum } = costs.get(start) ?? { amount_minor: 0 };
    costs.set(start, { currency, amount_minor: sum + Number(amount) });
  }
  return costs;
};
