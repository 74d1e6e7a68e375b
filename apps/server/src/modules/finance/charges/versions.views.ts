import type { Sql } from '../../../platform/db/index.ts';
import type { BillMonth } from '../bill.rules.ts';

export interface ReissueTariff {
  /** `YYYY-MM` */
  month: string;
  currency: string;
  tariffId: number;
}

/** Tariffs by which a customer's usage bills of earlier months were reissued. */
export const listReissueTariffs = async (
  sql: Sql,
  { customerId, month }: { customerId: number; month: BillMonth },
): Promise<ReissueTariff[]> =>
  (
    await sql.query<ReissueTariff>(
      `select to_char(month_on, 'YYYY-MM') as month, currency, tariff_id as "tariffId" from bills
       where org_id = $1 and month_on < $2 and tariff_id is not null and type <> 'advance' and status <> 'obsolete'`,
      [customerId, `${month.month}-01`],
    )
  ).rows;
