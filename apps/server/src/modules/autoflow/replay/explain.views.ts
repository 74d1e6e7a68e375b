import type { Measured } from '@simcube/contract/autoflow';
import type { Sql } from '../../../platform/db/index.ts';

export interface PastFiring {
  key: string;
  firedAt: Date;
  happenedAt: Date;
  measured: Measured;
}

/** Since when a SIM belongs to its organisation, in milliseconds since 1970; null if it has never been transferred. */
export const findArrival = async (sql: Sql, simId: number): Promise<number | null> => {
  const { rows } = await sql.query<{ since: Date | null }>(
    'select owned_since as since from sims where id = $1',
    [simId],
  );
  return rows[0]?.since?.getTime() ?? null;
};

/** Firings of the organisation's rule for a SIM, latest first, within the run history. */
export const listPastFirings = async (
  sql: Sql,
  { orgId, ruleId, simId, since }: { orgId: number; ruleId: number; simId: number; since: Date },
): Promise<PastFiring[]> =>
  (
    await sql.query<PastFiring>(
      `select key, fired_at as "firedAt", happened_at as "happenedAt", measured from autoflow_firings
       where rule_id = $1 and sim_id = $2 and org_id = $3 and fired_at > $4 order by fired_at desc, id desc`,
      [ruleId, simId, orgId, since],
    )
  ).rows;
