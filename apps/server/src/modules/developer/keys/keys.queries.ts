import type { PermissionMap } from '@simcube/contract';
import type { Sql } from '../../../platform/db/index.ts';
import type { Account } from './keys.rules.ts';

export interface NewKey extends Account {
  id: string;
  name: string | null;
  /** SubjectPublicKeyInfo, DER. */
  publicKey: Buffer;
  bits: number;
  rights: PermissionMap | null;
  at: Date;
  expiresAt: Date | null;
}

/** Number of keys of the account, and of all accounts of its organisation. */
export const countKeys = async (
  tx: Sql,
  { orgId, userId }: Account,
): Promise<{ ofAccount: number; ofOrganisation: number }> => {
  const { rows } = await tx.query<{ ofAccount: number; ofOrganisation: number }>(
    `select count(*) filter (where user_id = $2)::int as "ofAccount", count(*)::int as "ofOrganisation"
     from api_keys where org_id = $1`,
    [orgId, userId],
  );
  return rows[0] ?? { ofAccount: 0, ofOrganisation: 0 };
};

export const insertKey = async (tx: Sql, key: NewKey): Promise<void> => {
  const { id, orgId, userId, name, publicKey, bits, rights, at, expiresAt } = key;
  await tx.query(
    `insert into api_keys (id, org_id, user_id, name, public_key, bits, rights, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [id, orgId, userId, name, publicKey, bits, rights && JSON.stringify(rights), at, expiresAt],
  );
};

/** @returns undefined when the account has no such key */
export const deleteKey = async (
  tx: Sql,
  { id, orgId, userId }: Account & { id: string },
): Promise<{ name: string | null } | undefined> =>
  (
    await tx.query<{ name: string | null }>(
      'delete from api_keys where id = $1 and org_id = $2 and user_id = $3 returning name',
      [id, orgId, userId],
    )
  ).rows[0];
