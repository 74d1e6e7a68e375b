import type { Sql } from '../../../platform/db/index.ts';
import { sealedColumn } from '../../../platform/secrets/index.ts';

/**
 * Stores a secret that waits for its confirmation.
 * @returns false when two-factor is on
 */
export const writePendingSecret = async (sql: Sql, userId: string, sealed: Buffer): Promise<boolean> => {
  const { rowCount } = await sql.query(
    `update users set totp_secret = $2, totp_last_step = null where id = $1 and totp_enabled_at is null`,
    [userId, sealed],
  );
  return rowCount === 1;
};

/** @returns false when it is already on, or another secret was created concurrently */
export const enableTotp = async (
  sql: Sql,
  userId: string,
  totp: { sealed: Buffer; step: number; now: Date },
): Promise<boolean> => {
  const { rowCount } = await sql.query(
    `update users set totp_enabled_at = $2, totp_last_step = $3
     where id = $1 and totp_enabled_at is null and totp_secret = $4`,
    [userId, totp.now, totp.step, totp.sealed],
  );
  return rowCount === 1;
};

/** @returns false when it is already off */
export const disableTotp = async (sql: Sql, userId: string): Promise<boolean> => {
  const { rowCount } = await sql.query(
    `update users set totp_secret = null, totp_enabled_at = null, totp_last_step = null
     where id = $1 and totp_enabled_at is not null`,
    [userId],
  );
  await sql.query('delete from recovery_codes where user_id = $1', [userId]);
  return rowCount === 1;
};

/**
 * RFC 6238, 5.2: a code is accepted once.
 * @returns false when a code of this step or a later one was already accepted
 */
export const consumeStep = async (sql: Sql, userId: string, step: number): Promise<boolean> => {
  const { rowCount } = await sql.query(
    `update users set totp_last_step = $2
     where id = $1 and totp_enabled_at is not null and coalesce(totp_last_step, -1) < $2`,
    [userId, step],
  );
  return rowCount === 1;
};

/** Replaces the previous codes. */
export const writeRecoveryCodes = async (
  sql: Sql,
  userId: string,
  hashes: readonly Buffer[],
): Promise<void> => {
  await sql.query('delete from recovery_codes where user_id = $1', [userId]);
  await sql.query('insert into recovery_codes (user_id, code_hash) select $1, unnest($2::bytea[])', [
    userId,
    hashes,
  ]);
};

export const hasRecoveryCode = async (
  sql: Sql,
  { userId, hash }: { userId: string | null; hash: Buffer },
): Promise<boolean> => {
  const { rowCount } = await sql.query(
    'select from recovery_codes where user_id = $1 and code_hash = $2 and used_at is null',
    [userId, hash],
  );
  return rowCount === 1;
};

/** @returns false when it was used concurrently */
export const consumeRecoveryCode = async (
  sql: Sql,
  { userId, hash, now }: { userId: string; hash: Buffer; now: Date },
): Promise<boolean> => {
  const { rowCount } = await sql.query(
    'update recovery_codes set used_at = $3 where user_id = $1 and code_hash = $2 and used_at is null',
    [userId, hash, now],
  );
  return rowCount === 1;
};

/** Secrets of authenticator apps, confirmed or not. */
export const secondFactorSecrets = sealedColumn({
  name: 'second factors',
  table: 'users',
  id: 'uuid',
  column: 'totp_secret',
  label: 's.email',
});
