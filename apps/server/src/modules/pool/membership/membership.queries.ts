import type { Sql } from '../../../platform/db/index.ts';
import type { MemberFacts } from './membership.rules.ts';

export const listMemberFacts = async (sql: Sql, simIds: readonly number[]): Promise<MemberFacts[]> =>
  (
    await sql.query<MemberFacts>(
      `select s.id as "simId", s.org_id as "orgId", s.lifecycle, m.pool_id as "poolId", p.org_id as "poolOrgId",
         m.enrolled_at as "enrolledAt", m.activated_at as "activatedAt", a.id as "automaticPoolId",
         coalesce(a.automatic_since, a.created_at) as "automaticSince", o.since as "inUseSince",
         coalesce(o.pending, false) as "isPending", o.ended as "orderEndedAt",
         s.lifecycle_changed_at as "lifecycleChangedAt"
       from sims s
       left join pool_members m on m.sim_id = s.id and m.left_at is null
       left join pools p on p.id = m.pool_id
       left join pools a on m.pool_id is null and a.org_id = s.org_id and a.bundle_id = s.bundle_id
         and a.opt_in = 'automatic'
       left join lateral (
         select max(activated_at) filter (where status = 'in use') as since, bool_or(status = 'pending') as pending,
           max(expires_at) filter (where status = 'expired') as ended
         from bundle_orders where sim_id = s.id and bundle_id = coalesce(p.bundle_id, s.bundle_id)
           and status in ('pending', 'in use', 'expired')) as o on true
       where s.id = any($1::bigint[]) order by s.id`,
      [simIds],
    )
  ).rows;

/** Adds members from the given times, but not before their membership in another pool, or in this one, ended. */
export const insertMembers = async (
  tx: Sql,
  poolId: number,
  members: readonly { simId: number; enrolledAt: Date }[],
): Promise<void> => {
  await tx.query(
    `insert into pool_members (pool_id, sim_id, enrolled_at)
     select $1, v.sim_id, greatest(v.at, (select max(left_at) from pool_members where sim_id = v.sim_id))
     from unnest($2::bigint[], $3::timestamptz[]) as v (sim_id, at)`,
    [poolId, members.map(({ simId }) => simId), members.map(({ enrolledAt }) => enrolledAt)],
  );
};

export const updateActivated = async (
  tx: Sql,
  members: readonly { simId: number; at: Date }[],
): Promise<void> => {
  await tx.query(
    `update pool_members m set activated_at = v.at from unnest($1::bigint[], $2::timestamptz[]) as v (sim_id, at)
     where m.sim_id = v.sim_id and m.left_at is null`,
    [members.map(({ simId }) => simId), members.map(({ at }) => at)],
  );
};

/** A SIM that leaves its pool, and when. */
export interface Leaving {
  simId: number;
  at: Date;
}

/**
 * Ends memberships after the last record that was counted for them, because gateway clocks may be ahead. The caller
 * has locked the rows of the SIMs.
 * @returns the SIMs that were members, with their pool and when they left it
 */
export const endMembers = async (
  tx: Sql,
  leaving: readonly Leaving[],
): Promise<{ simId: number; poolId: number; leftAt: Date }[]> => {
  const simIds = leaving.map(({ simId }) => simId);
  const instants = leaving.map(({ at }) => at);
  const { rows: counted } = await tx.query<{ simId: number; lastAt: Date }>(
    `select v.sim_id as "simId", date_trunc('milliseconds', last.at) as "lastAt"
     from unnest($1::bigint[], $2::timestamptz[]) as v (sim_id, at)
     cross join lateral (
       select max(ended_at) as at from cdrs c where c.sim_id = v.sim_id and c.ended_at >= v.at group by c.sim_id) as last`,
    [simIds, instants],
  );
  const lastAt = new Map(counted.map((row) => [row.simId, row.lastAt]));
  const { rows } = await tx.query<{ simId: number; poolId: number; leftAt: Date }>(
    `update pool_members m set left_at = greatest(v.at, m.enrolled_at, v.last_at + interval '1 millisecond')
     from unnest($1::bigint[], $2::timestamptz[], $3::timestamptz[]) as v (sim_id, at, last_at)
     where m.sim_id = v.sim_id and m.left_at is null
     returning m.sim_id as "simId", m.pool_id as "poolId", m.left_at as "leftAt"`,
    [simIds, instants, simIds.map((id) => lastAt.get(id) ?? null)],
  );
  return rows;
};

export const listIccids = async (sql: Sql, simIds: readonly number[], limit: number): Promise<string[]> =>
  (
    await sql.query<{ iccid: string }>(
      'select iccid from sims where id = any($1::bigint[]) order by id limit $2',
      [simIds, limit],
    )
  ).rows.map(({ iccid }) => iccid);
