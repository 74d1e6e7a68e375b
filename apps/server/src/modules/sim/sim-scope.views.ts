import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db, Sql } from '../../platform/db/index.ts';
import { fail } from '../../platform/http/index.ts';
import { simsBy } from './sims-by.rules.ts';

/**
 * A SIM with the organisation that reads of it. What happened to the SIM while it was another organisation's is not this
 * one's to see: a query of its history takes one of these, and is bounded by `org_id`, by `whileOwned`, or by
 * `own-usage`.
 */
export interface OwnSim {
  readonly id: number;
  readonly orgId: number;
}

/** Of a table of instants that does not say whose its rows are: those at which the SIM was the reader's. */
export const whileOwned = ({ id, orgId }: OwnSim, at: Fragment): Fragment<SqlBool> =>
  sql<SqlBool>`exists (select from sim_owners w
    where w.sim_id = ${id} and w.org_id = ${orgId} and ${at} >= w.since and ${at} < w.until)`;

/**
 * The one way to an organisation's SIMs: every query of SIM data takes its condition, or its SIM, from here.
 * Foreign and unknown ICCIDs are the same: they do not exist (404), so that a SIM's owner is not disclosed.
 */
export const scopedTo = (org: { id: number }) => ({
  orgId: org.id,
  /** Condition on the table of SIMs under the alias `s`. */
  sims: sql<SqlBool>`s.org_id = ${org.id}`,
  /**
   * The same condition, which the indexes of words and tags do not take as it is of another type. Meeting all of a
   * large organisation's SIMs in them costs more than the look at what they find; and the planner lays one index over
   * another only when they are not asked for the same.
   */
  simsBeside: sql<SqlBool>`s.org_id = ${org.id}::integer`,
  /** Condition on the live state under the alias `l`; lets its own indexes be used. */
  live: sql<SqlBool>`l.org_id = ${org.id}`,
  /** The same on their costs under the alias `c`. */
  costs: sql<SqlBool>`c.cost_org_id = ${org.id}`,
  /** @throws Failure CB-01-0001 */
  sim: async (from: Sql, iccid: string): Promise<OwnSim> => {
    const { rows } = await from.query<{ id: number }>({
      name: 'sim.scoped-id',
      text: `select s.id from ${simsBy('iccid')} i join sims s on s.id = i.sim_id
        where i.value = $1 and s.org_id = $2`,
      values: [iccid, org.id],
    });
    return { id: rows[0]?.id ?? fail('CB-01-0001'), orgId: org.id };
  },
  /** One that is or was the organisation's: for records that stay with it. @throws Failure CB-01-0001 */
  simEver: async (from: Sql, iccid: string): Promise<OwnSim> => {
    const { rows } = await from.query<{ id: number }>({
      name: 'sim.ever-scoped-id',
      text: `select i.sim_id as id from ${simsBy('iccid')} i
        where i.value = $1 and exists (select from sim_owners w where w.sim_id = i.sim_id and w.org_id = $2)`,
      values: [iccid, org.id],
    });
    return { id: rows[0]?.id ?? fail('CB-01-0001'), orgId: org.id };
  },
});

export interface OrgSims {
  byLifecycle: { lifecycle: number; sims: number }[];
  sims: number;
  /** Whether that is most of the installation's SIMs. */
  isMost: boolean;
}

/** How many SIMs the organisation has, as the counters know it. */
export const orgSims = async (db: Db, { orgId }: { orgId: number }): Promise<OrgSims> => {
  const { rows } = await sql<{ lifecycle: number; sims: number; installed: number }>`
    select lifecycle, sims, (select reltuples::float8 from pg_class where oid = 'sims'::regclass) as installed
    from org_sim_counts where org_id = ${orgId}`.execute(db);
  const sims = rows.reduce((sum, row) => sum + row.sims, 0);
  return { byLifecycle: rows, sims, isMost: sims * 2 >= (rows[0]?.installed ?? 0) };
};

export type SimScope = ReturnType<typeof scopedTo>;
export type Fragment<T = unknown> = RawBuilder<T>;

/** For the operator at the command line, who stands outside all organisations: the SIM as its owner sees it. */
export const findSim = async (from: Sql, iccid: string): Promise<OwnSim | undefined> =>
  (
    await from.query<OwnSim>(
      `select s.id, s.org_id as "orgId" from ${simsBy('iccid')} i join sims s on s.id = i.sim_id where i.value = $1`,
      [iccid],
    )
  ).rows[0];

export const findOrganisationId = async (from: Sql, code: string): Promise<number | undefined> =>
  (await from.query<{ id: number }>('select id from organisations where lower(code) = lower($1)', [code]))
    .rows[0]?.id;
