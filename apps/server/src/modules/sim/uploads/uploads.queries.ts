import type { Sql } from '../../../platform/db/index.ts';

export type UploadKind = 'transfer' | 'info' | 'rule-sims' | 'rule-imeis';

export interface NewUpload {
  orgId: number;
  userId: string;
  kind: UploadKind;
  name: string;
  rows: readonly unknown[];
  facts: Record<string, string | number>;
  at: Date;
  expiresAt: Date;
}

export const insertUpload = async (tx: Sql, upload: NewUpload): Promise<string> => {
  const { orgId, userId, kind, name, rows, facts, at, expiresAt } = upload;
  const inserted = await tx.query<{ id: string }>(
    `insert into uploads (org_id, user_id, kind, name, rows, facts, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
    [orgId, userId, kind, name, JSON.stringify(rows), JSON.stringify(facts), at, expiresAt],
  );
  const id = inserted.rows[0]?.id;
  if (id === undefined) throw new Error('The upload was not stored');
  return id;
};

/** Uploads of the person that can still be applied; locked against additions until the transaction ends. */
export const lockAndCountUploads = async (
  tx: Sql,
  { orgId, userId, kind, at }: Pick<NewUpload, 'orgId' | 'userId' | 'kind' | 'at'>,
): Promise<number> => {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `sim.upload:${orgId}:${userId}:${kind}`,
  ]);
  const { rows } = await tx.query<{ waiting: number }>(
    `select count(*)::int as waiting from uploads
     where org_id = $1 and user_id = $2 and kind = $3 and expires_at > $4`,
    [orgId, userId, kind, at],
  );
  return rows[0]?.waiting ?? 0;
};

/** An upload of the person in this organisation, until it expires. */
export const findUpload = async (
  sql: Sql,
  key: { id: string; orgId: number; userId: string; kind: UploadKind; now: Date },
): Promise<{ name: string; rows: unknown; facts: Record<string, unknown> } | undefined> =>
  (
    await sql.query(
      `select name, rows, facts from uploads
       where id = $1 and org_id = $2 and user_id = $3 and kind = $4 and expires_at > $5`,
      [key.id, key.orgId, key.userId, key.kind, key.now],
    )
  ).rows[0];

/** @returns whether it still existed: of two concurrent requests, one applies it */
export const consumeUpload = async (tx: Sql, id: string): Promise<boolean> =>
  (await tx.query('delete from uploads where id = $1', [id])).rowCount === 1;

/** Deletes an upload of the person in this organisation; does nothing if it was applied or has expired. */
export const deleteUpload = async (
  tx: Sql,
  { id, orgId, userId, kind }: Pick<NewUpload, 'orgId' | 'userId' | 'kind'> & { id: string },
): Promise<void> => {
  await tx.query('delete from uploads where id = $1 and org_id = $2 and user_id = $3 and kind = $4', [
    id,
    orgId,
    userId,
    kind,
  ]);
};

export const deleteExpiredUploads = async (sql: Sql, now: Date): Promise<void> => {
  await sql.query('delete from uploads where expires_at <= $1', [now]);
};
