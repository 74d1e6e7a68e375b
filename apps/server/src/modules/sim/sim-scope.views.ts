import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db, Sql } from '../../platform/db/index.ts';
import { fail } from '../../platform/http/index.ts';

/**
 * The one way to an organisation's SIMs: every query of SIM data takes its condition, or its SIM's id, from here.
 * Foreign and unknown ICCIDs are the same: they do not exist (404), so that nobody learns whose a SIM is.
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
  /** @throws Failure CB-01-0001 */
  simId: async (from: Sql, iccid: string): Promise<number> => {
    const { rows } = await from.query<{ id: number }>({
      name: 'sim.scoped-id',
      text: 'select id from sims where iccid = $1 and org_id = $2',
      values: [iccid, org.id],
    });
    return rows[0]?.id ?? fail('CB-01-0001');
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

/** For the operator at the command line, who stands outside all organisations. */
export const findSimId = async (from: Sql, iccid: string): Promise<number | undefined> =>
  (await from.query<{ id: number }>('select id from sims where iccid = $1', [iccid])).rows[0]?.id;

export const findOrganisationId = async (from: Sql, code: string): Promise<number | undefined> =>
  (await from.query<{ id: number }>('select id from organisations where code = $1', [code])).rows[0]?.id;
