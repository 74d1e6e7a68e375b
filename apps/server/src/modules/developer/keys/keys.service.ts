import { generateKeyPair, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { limits } from '@simcube/contract';
import type { ApiKey, KeyRights } from '@simcube/contract/developer';
import type pg from 'pg';
import type { Actor } from '../../../platform/access/index.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { lockOrganisation, requirePermission } from '../../org/index.ts';
import { countKeys, deleteKey, insertKey } from './keys.queries.ts';
import { refusedPermissions } from './keys.rules.ts';
import { toApiKey } from './keys.views.ts';

export interface KeyCaller {
  orgId: number;
  userId: string;
  actor: Actor;
}

interface KeyInput {
  name?: string | undefined;
  expires_at?: string | undefined;
  rights?: KeyRights | undefined;
}

const makePair = promisify(generateKeyPair);
const manage = { key: 'cube-developer-key', action: 'write' } as const;

export const createKeys = ({ pool, clock, bits }: { pool: pg.Pool; clock: Clock; bits: number }) => ({
  /**
   * @returns the key, and its private half (PKCS #8, PEM), which is not stored
   * @throws Failure CB-00-0400 for permissions that the maker lacks and a past expiry, CB-08-0001 when the
   * maximum number exists
   */
  async create(caller: KeyCaller, input: KeyInput): Promise<{ key: ApiKey; private_key: string }> {
    const { orgId, userId, actor } = caller;
    const pair = await makePair('rsa', {
      modulusLength: bits,
      publicKeyEncoding: { format: 'der', type: 'spki' },
      privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
    });
    return inTransaction(pool, async (tx) => {
      const { permissions } = await requirePermission(tx, { orgId, userId, ...manage });
      const at = clock.now();
      const expiresAt = input.expires_at === undefined ? null : new Date(input.expires_at);
      const late = expiresAt && expiresAt <= at ? [{ path: 'expires_at', key: 'timePassed' } as const] : [];
      const rights = input.rights ?? null;
      const issues = [...late, ...(rights ? refusedPermissions(rights, permissions) : [])];
      if (issues.length > 0) fail('CB-00-0400', { issues });
      await lockOrganisation(tx, orgId);
      const { ofAccount, ofOrganisation } = await countKeys(tx, caller);
      const { perAccount, perOrganisation } = limits.apiKeys;
      if (ofAccount >= perAccount) fail('CB-08-0001', { values: { max: perAccount } });
      if (ofOrganisation >= perOrganisation) fail('CB-08-0001', { values: { max: perOrganisation } });
      const created = { id: randomUUID(), name: input.name ?? null, bits, rights };
      const publicKey = pair.publicKey;
      await insertKey(tx, { ...created, orgId, userId, publicKey, at, expiresAt });
      await recordAudit(tx, {
        orgId,
        actor,
        at,
        subject: { kind: 'api-key', id: created.id, name: created.name ?? created.id },
        before: null,
        after: { ...created, expires_at: expiresAt?.toISOString() ?? null },
      });
      const dates = { created_at: at, expires_at: expiresAt, last_used_at: null };
      return { key: toApiKey({ ...created, ...dates, public_key: publicKey }), private_key: pair.privateKey };
    });
  },

  /**
   * Every call reads the key, so none is accepted after the commit.
   * @throws Failure CB-00-0404
   */
  remove: ({ orgId, userId, actor }: KeyCaller, id: string): Promise<null> =>
    inTransaction(pool, async (tx) => {
      await requirePermission(tx, { orgId, userId, ...manage });
      const { name } = (await deleteKey(tx, { id, orgId, userId })) ?? fail('CB-00-0404');
      await recordAudit(tx, {
        orgId,
        actor,
        at: clock.now(),
        subject: { kind: 'api-key', id, name: name ?? id },
        before: { name },
        after: null,
      });
      return null;
    }),
});
