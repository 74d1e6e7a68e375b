import type { PermissionMap } from '@simcube/contract';
import type { Sql } from '../../../platform/db/index.ts';

/** SubjectPublicKeyInfo (DER) of those of the keys that exist. */
export const listPublicKeys = async (
  sql: Sql,
  ids: readonly string[],
): Promise<{ id: string; publicKey: Buffer }[]> =>
  (
    await sql.query<{ id: string; publicKey: Buffer }>({
      name: 'developer.list-public-keys',
      text: 'select id, public_key as "publicKey" from api_keys where id = any($1::uuid[])',
      values: [ids],
    })
  ).rows;

export interface UsedKey {
  id: string;
  name: string | null;
  rights: PermissionMap | null;
  expiresAt: Date | null;
  orgId: number;
  tenantId: string;
  partnerCode: string;
  userId: string;
  email: string;
  person: string;
  isDisabled: boolean;
  /** Whether the nonce had not been used before. */
  isFresh: boolean;
}

export interface NonceUse {
  keyId: string;
  nonce: string;
  retainUntil: Date;
  now: Date;
  /** The last use is written if it was before this. */
  touchedBefore: Date;
  /** Whether a crash of the database must not lose the nonce. */
  durably: boolean;
}

/**
 * Uses up a nonce of a key and reads the key's account in one statement: of two concurrent calls with the same
 * nonce only one finds it fresh, in any process. Expired keys and keys of disabled people use up none.
 * @returns undefined when the key does not exist
 */
export const consumeNonce = async (sql: Sql, use: NonceUse): Promise<UsedKey | undefined> =>
  (
    await sql.query<UsedKey>({
      name: 'developer.spend-nonce',
      text: `with held as materialized (
               select set_config('synchronous_commit', $6, true), k.id, k.name, k.rights, k.expires_at as "expiresAt", k.last_used_at,
                 k.org_id as "orgId", o.tenant_id as "tenantId", o.code as "partnerCode",
                 u.id as "userId", u.email, concat_ws(' ', u.first_name, u.last_name) as person,
                 u.disabled_at is not null as "isDisabled"
               from api_keys k join users u on u.id = k.user_id join organisations o on o.id = k.org_id
               where k.id = $1),
             spent as (
               insert into api_key_nonces (key_id, nonce, kept_until)
               select id, $2, $3 from held where coalesce("expiresAt" > $4, true) and not "isDisabled"
               on conflict do nothing returning key_id),
             touched as (
               update api_keys set last_used_at = $4 from spent
               where id = spent.key_id and coalesce(last_used_at < $5, true))
             select id, name, rights, "expiresAt", "orgId", "tenantId", "partnerCode", "userId", email, person,
               "isDisabled", exists (select from spent) as "isFresh"
             from held`,
      values: [use.keyId, use.nonce, use.retainUntil, use.now, use.touchedBefore, use.durably ? 'on' : 'off'],
    })
  ).rows[0];

/** Nonces deleted by one statement, so that none takes long. */
const batchSize = 10_000;

/** @returns how many were deleted */
export const trimNonces = async (sql: Sql, now: Date): Promise<number> =>
  (
    await sql.query(
      `delete from api_key_nonces where ctid = any (array(
         select ctid from api_key_nonces where kept_until < $1 limit ${batchSize}))`,
      [now],
    )
  ).rowCount ?? 0;
