import type { Sql } from '../../platform/db/index.ts';

export interface NewLink {
  idHash: Buffer;
  orgId: number;
  simId: number;
  report: unknown;
  expiresAt: Date;
}

export const insertLink = async (tx: Sql, link: NewLink): Promise<void> => {
  await tx.query(
    'insert into diagnose_links (id_hash, org_id, sim_id, report, expires_at) values ($1, $2, $3, $4, $5)',
    [link.idHash, link.orgId, link.simId, JSON.stringify(link.report), link.expiresAt],
  );
};

/** How many reports the organisation shares now. */
export const countLinks = async (tx: Sql, { orgId, now }: { orgId: number; now: Date }): Promise<number> =>
  (
    await tx.query<{ count: number }>(
      'select count(*) as count from diagnose_links where org_id = $1 and expires_at > $2',
      [orgId, now],
    )
  ).rows[0]?.count ?? 0;

/** @returns how many were dropped; as many as `limit` when there may be more */
export const dropExpiredLinks = async (
  sql: Sql,
  { now, limit }: { now: Date; limit: number },
): Promise<number> =>
  (
    await sql.query(
      `delete from diagnose_links where id_hash in
         (select id_hash from diagnose_links where expires_at <= $1 order by expires_at limit $2)`,
      [now, limit],
    )
  ).rowCount ?? 0;
