import { lifecycleNumbers } from '@simcube/contract/sim';
import type { Sql } from '../../../platform/db/index.ts';
import { simsBy } from '../../sim/index.ts';

/**
 * Whether a phone is a SIM that the organisation can't send messages to: another organisation's, an expired,
 * terminated or suspended one. Its number must not be a way around that.
 */
export const isForbiddenSim = async (
  sql: Sql,
  { orgId, phone }: { orgId: number; phone: string },
): Promise<boolean> => {
  const { rowCount } = await sql.query(
    `select from ${simsBy('msisdn')} i join sims s on s.id = i.sim_id
     where i.value = $2 and (s.org_id <> $1 or s.sms_suspended
       or s.lifecycle in (${lifecycleNumbers.expired}, ${lifecycleNumbers.terminated}))`,
    [orgId, phone],
  );
  return rowCount !== 0;
};
