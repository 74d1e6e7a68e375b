import type { Estimate } from '@simcube/contract/finance';
import type { Sql } from '../../../platform/db/index.ts';

export const writeEstimate = async (
  sql: Sql,
  orgId: number,
  { month, computed_at, ...estimate }: Estimate,
): Promise<void> => {
  await sql.query(
    `insert into bill_estimates (org_id, month_on, computed_at, estimate) values ($1, $2, $3, $4)
     on conflict (org_id) do update set month_on = excluded.month_on, computed_at = excluded.computed_at,
       estimate = excluded.estimate`,
    [orgId, `${month}-01`, computed_at, JSON.stringify(estimate)],
  );
};
