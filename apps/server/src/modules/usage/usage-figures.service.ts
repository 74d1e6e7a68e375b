import type pg from 'pg';
import { inTransaction } from '../../platform/db/index.ts';
import { listOrgsToRank, orgsPerPage, replaceRank } from './usage-figures.queries.ts';

/** Ranks the SIMs again in each organisation whose order may have changed. */
export const refreshRanks = async (pool: pg.Pool, now: Date): Promise<void> => {
  for (let after = 0; ; ) {
    const orgs = await listOrgsToRank(pool, after, now);
    for (const orgId of orgs) await inTransaction(pool, (tx) => replaceRank(tx, orgId, now));
    const last = orgs.at(-1);
    if (!last || orgs.length < orgsPerPage) return;
    after = last;
  }
};
