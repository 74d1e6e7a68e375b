import type { Sql } from '../../../platform/db/index.ts';

export const findSentAt = async (sql: Sql, addressKey: Buffer): Promise<Date | undefined> =>
  (
    await sql.query<{ sentAt: Date }>('select sent_at as "sentAt" from mailed_codes where address_key = $1', [
      addressKey,
    ])
  ).rows[0]?.sentAt;

/** Replaces the previous code. */
export const writeMailedCode = async (
  sql: Sql,
  code: { addressKey: Buffer; codeHash: Buffer; sentAt: Date; expiresAt: Date },
): Promise<void> => {
  await sql.query(
    `insert into mailed_codes (address_key, code_hash, sent_at, expires_at) values ($1, $2, $3, $4)
     on conflict (address_key) do update
       set code_hash = excluded.code_hash, sent_at = excluded.sent_at, expires_at = excluded.expires_at`,
    [code.addressKey, code.codeHash, code.sentAt, code.expiresAt],
  );
};

export const isMailedCode = async (
  sql: Sql,
  code: { addressKey: Buffer; codeHash: Buffer; now: Date },
): Promise<boolean> => {
  const { rowCount } = await sql.query(
    'select from mailed_codes where address_key = $1 and code_hash = $2 and expires_at > $3',
    [code.addressKey, code.codeHash, code.now],
  );
  return rowCount === 1;
};

/** @returns false when it was used concurrently */
export const consumeMailedCode = async (
  sql: Sql,
  code: { addressKey: Buffer; codeHash: Buffer },
): Promise<boolean> => {
  const { rowCount } = await sql.query('delete from mailed_codes where address_key = $1 and code_hash = $2', [
    code.addressKey,
    code.codeHash,
  ]);
  return rowCount === 1;
};

export const deleteMailedCode = async (sql: Sql, addressKey: Buffer): Promise<void> => {
  await sql.query('delete from mailed_codes where address_key = $1', [addressKey]);
};
