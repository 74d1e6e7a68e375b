import type { Sql } from '../../../platform/db/index.ts';
import { deviceNameOnBill } from '../bills/sims.views.ts';
import type { BillDocument, DocumentSim } from './bill-document.rules.ts';

/** The customer of a bill, by its name on the bill, and the logos on it. */
export const findParties = async (
  sql: Sql,
  { orgId, billId }: { orgId: number; billId: number },
): Promise<Pick<BillDocument, 'buyer' | 'logo'> | undefined> => {
  const { rows } = await sql.query<BillDocument['buyer'] & { operatorLogo: string | null }>(
    `select coalesce(p.code, o.code) as code, coalesce(p.name, o.name) as name, coalesce(p.country, o.country) as country, o.logo,
       (select logo from organisations where parent_id is null order by id limit 1) as "operatorLogo"
     from organisations o left join bill_parties p on p.bill_id = $2 and p.org_id = o.id where o.id = $1`,
    [orgId, billId],
  );
  const [row] = rows;
  if (!row) return undefined;
  const { operatorLogo: logo, ...buyer } = row;
  return { buyer, logo };
};

/** The SIMs that a bill charges most for, and the number of all its SIMs. */
export const findCostliestSims = async (
  sql: Sql,
  { billId, most }: { billId: number; most: number },
): Promise<Pick<BillDocument, 'sims' | 'simCount'>> => {
  const { rows: sims } = await sql.query<DocumentSim>(
    `select s.iccid, ${deviceNameOnBill('m.bill_id')} as device_name, m.amount_micros from (
       select bill_id, sim_id, amount_micros from bill_sims where bill_id = $1 order by amount_micros desc, sim_id desc limit $2) as m
     join sims s on s.id = m.sim_id order by m.amount_micros desc, m.sim_id desc`,
    [billId, most],
  );
  const { rows } = await sql.query<{ count: number }>(
    'select count(*)::int as count from bill_sims where bill_id = $1',
    [billId],
  );
  return { sims, simCount: rows[0]?.count ?? 0 };
};
