import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db, Sql } from '../../platform/db/index.ts';
import { fail } from '../../platform/http/index.ts';
import { caseVariants } from './sim.rules.ts';
import { simsBy } from './sims-by.rules.ts';

/** Of SIMs whose ICCIDs differ in letter case only, the one that was written. */
const asWrittenFirst = 'order by i.value = ($1::text[])[1] desc limit 1';

/**
 * A SIM with the organisation that reads it. What happened while the SIM belonged to another organisation must
 * not be shown: a query of its history takes an `OwnSim`, and is restricted by `org_id`, by `whileOwned`, or by
 * `own-usage`.
 */
export interface OwnSim {
  readonly id: number;
  readonly orgId: number;
}

/**
 * For a table of instants without an organisation: the condition for those at which the SIM belonged to the
 * reader's.
 */
export const whileOwned = ({ id, orgId }: OwnSim, at: Fragment): Fragment<SqlBool> =>
  sql<SqlBool>`exists (select from sim_owners w
    where w.sim_id = ${id} and w.org_id = ${orgId} and ${at} >= w.since and ${at} < w.until)`;

/**
 * The only access to an organisation's SIMs: every query of SIM data gets its condition, or its SIM, from here.
 * ICCIDs of other organisations are treated like unknown ones (404), so that a SIM's owner is not disclosed.
 */
export const scopedTo = (org: { id: number }) => ({
  orgId: org.id,
  /** Condition on the SIM table under the alias `s`. */
  sims: sql<SqlBool>`s.org_id = ${org.id}`,
  /**
   * The same condition in another type, so that the indexes of words and tags do not use it. Reading all SIMs
   * of a large organisation from them costs more than checking the SIMs that they find; and the planner
   * combines two indexes only if both are not searched for the same condition.
   */
  simsUnindexed: sql<SqlBool>`s.org_id = ${org.id}::integer`,
  /** Condition on the live state under the alias `l`; its own indexes can be used. */
  live: sql<SqlBool>`l.org_id = ${org.id}`,
  /** The same for the keys of the live state under the alias `k`. */
  keys: sql<SqlBool>`k.key_org_id = ${org.id}`,
  /** @throws Failure CB-01-0001 */
  sim: async (db: Sql, iccid: string): Promise<OwnSim> => {
    const { rows } = await db.query<{ id: number }>({
      name: 'sim.scoped-id',
      text: `select s.id from ${simsBy('iccid')} i join sims s on s.id = i.sim_id
        where i.value = any($1::text[]) and s.org_id = $2 ${asWrittenFirst}`,
      values: [caseVariants(iccid), org.id],
    });
    return { id: rows[0]?.id ?? fail('CB-01-0001'), orgId: org.id };
  },
  /**
   * A SIM that belongs or belonged to the organisation: for records that stay with it.
   * @throws Failure CB-01-0001
   */
  simEverOwned: async (db: Sql, iccid: string): Promise<OwnSim> => {
    const { rows } = await db.query<{ id: number }>({
      name: 'sim.ever-scoped-id',
      text: `select i.sim_id as id from ${simsBy('iccid')} i
        where i.value = any($1::text[])
          and exists (select from sim_owners w where w.sim_id = i.sim_id and w.org_id = $2) ${asWrittenFirst}`,
      values: [caseVariants(iccid), org.id],
    });
    return { id: rows[0]?.id ?? fail('CB-01-0001'), orgId: org.id };
  },
});

export interface OrgSims {
  byLifecycle: { lifecycle: number; sims: number }[];
  sims: number;
  /** Whether these are most of the installation's SIMs. */
  isMost: boolean;
}

/** The organisation's number of SIMs, from the counters. */
export const orgSims = async (db: Db, { orgId }: { orgId: number }): Promise<OrgSims> => {
  const { rows } = await sql<{ lifecycle: number; sims: number; installed: number }>`
    select lifecycle, sims, (select reltuples::float8 from pg_class where oid = 'sims'::regclass) as installed
    from org_sim_counts where org_id = ${orgId}`.execute(db);
  const sims = rows.reduce((sum, row) => sum + row.sims, 0);
  return { byLifecycle: rows, sims, isMost: sims * 2 >= (rows[0]?.installed ?? 0) };
};

export type SimScope = ReturnType<typeof scopedTo>;
export type Fragment<T = unknown> = RawBuilder<T>;

/** For the operator at the command line, who is outside all organisations: the SIM as its owner sees it. */
export const findSim = async (db: Sql, iccid: string): Promise<OwnSim | undefined> =>
  (
    await db.query<OwnSim>(
      `select s.id, s.org_id as "orgId" from ${simsBy('iccid')} i join sims s on s.id = i.sim_id
       where i.value = any($1::text[]) ${asWrittenFirst}`,
      [caseVariants(iccid)],
    )
  ).rows[0];
