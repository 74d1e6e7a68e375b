import { createPublicKey } from 'node:crypto';
import type { ApiKey, KeyRights } from '@simcube/contract/developer';
import { sql } from 'kysely';
import type { List } from '../../../platform/lists/index.ts';
import type { Account } from './keys.rules.ts';

interface Row {
  id: string;
  name: string | null;
  public_key: Buffer;
  bits: number;
  rights: KeyRights | null;
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
}

/** API keys of one account, the newest first. */
export const keyList: List<Account, object, Row, ApiKey> = {
  name: 'developer.keys',
  tables: [
    {
      name: 'keys',
      from: () => sql`api_keys as keys`,
      inScope: ({ scope: { orgId, userId } }) => sql`org_id = ${orgId} and user_id = ${userId}`,
    },
  ],
  key: { column: 'id', type: 'uuid' },
  order: [{ column: 'created_at', type: 'instant', descending: true }],
  filters: {},
  countLimit: 'all',
  select: sql`id, name, public_key, bits, rights, created_at, expires_at, last_used_at`,
  show: (rows) => rows.map(toApiKey),
};

export const toApiKey = ({ public_key, created_at, expires_at, last_used_at, ...key }: Row): ApiKey => ({
  ...key,
  public_key: pemOf(public_key),
  created_at: created_at.toISOString(),
  expires_at: expires_at?.toISOString() ?? null,
  last_used_at: last_used_at?.toISOString() ?? null,
});

const pemOf = (der: Buffer): string =>
  createPublicKey({ key: der, format: 'der', type: 'spki' })
    .export({ format: 'pem', type: 'spki' })
    .toString();
