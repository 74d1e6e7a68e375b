import type { Sql } from '../../../platform/db/index.ts';
import type { SmsFacts } from './send.rules.ts';

/** By SIM id. */
export const findSmsFacts = async (sql: Sql, simIds: readonly number[]): Promise<Map<number, SmsFacts>> => {
  const { rows } = await sql.query<SmsFacts & { id: number }>(
    'select id, msisdn, sms_suspended as "isSuspended" from sims where id = any($1::bigint[])',
    [simIds],
  );
  return new Map(rows.map(({ id, ...facts }) => [id, facts]));
};
