import type { Sql } from '../../../platform/db/index.ts';
import { lifecycleOf, type SimFacts, simsBy } from '../../sim/index.ts';
import type { SmsFacts } from './send.rules.ts';

/** The SIM that has a phone number; undefined if it is none of ours. */
export const findSimOfPhone = async (
  sql: Sql,
  phone: string,
): Promise<{ sim: SimFacts; facts: SmsFacts } | undefined> => {
  const { rows } = await sql.query<Omit<SimFacts, 'lifecycle'> & SmsFacts & { lifecycle: number }>(
    `select s.id, s.org_id as "orgId", s.iccid, s.lifecycle, s.technology, s.tags, s.msisdn, s.sms_suspended as "isSuspended"
     from ${simsBy('msisdn')} i join sims s on s.id = i.sim_id where i.value = $1`,
    [phone],
  );
  const [row] = rows;
  if (!row) return undefined;
  const { lifecycle, msisdn, isSuspended, ...sim } = row;
  return { sim: { ...sim, lifecycle: lifecycleOf(lifecycle) }, facts: { msisdn, isSuspended } };
};
