import type { Sql } from '../../platform/db/index.ts';

export interface NewLink {
  idHash: Buffer;
  orgId: number;
  simId: number;
  report: unknown;
  madeAt: Date;
  expiresAt: Date;
}

export const insertLink = async (tx: Sql, link: NewLink): Promise<void> => {
  await tx.query(
    `insert into diagnose_links (id_hash, org_id, sim_id, report, made_at, expires_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [link.idHash, link.orgId, link.simId, JSON.stringify(link.report), link.madeAt, link.expiresAt],
  );
};

/** Number of reports that the organisation currently shares. */
export const countLinks = async (tx: Sql, { orgId, now }: { orgId: number; now: Date }): Promise<number> =>
  (
    await tx.query<{ count: number }>(
      `select count(*) as count from diagnose_links
       where org_id = $1 and expires_at > $2 and withdrawn_at is null`,
      [orgId, now],
    )
  ).rows[0]?.count ?? 0;

export interface SharedLink {
  iccid: string;
  deviceName: string | null;
  expiresAt: Date;
  isWithdrawn: boolean;
}

/**
 * Belongs to the organisation that created it, even if the SIM has been transferred since: then the device's
 * name belongs to another one.
 */
export const lockLink = async (
  tx: Sql,
  { id, orgId, now }: { id: string; orgId: number; now: Date },
): Promise<SharedLink | undefined> =>
  (
    await tx.query<SharedLink>(
      `select s.iccid, case when s.org_id = l.org_id then s.device_name end as "deviceName", l.expires_at as "expiresAt", l.withdrawn_at is not null as "isWithdrawn"
       from diagnose_links l join sims s on s.id = l.sim_id
       where l.id = $1 and l.org_id = $2 and l.expires_at > $3 for update of l`,
      [id, orgId, now],
    )
  ).rows[0];

/** Deletes its contents immediately; that it existed is known until it would have expired. */
export const updateWithdrawn = async (tx: Sql, { id, now }: { id: string; now: Date }): Promise<void> => {
  await tx.query('update diagnose_links set withdrawn_at = $2, report = null where id = $1', [id, now]);
};

/** @returns how many were dropped; `limit` when there may be more */
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
