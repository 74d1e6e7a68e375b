import { textSchema } from '@simcube/contract';
import type pg from 'pg';
import { z } from 'zod';
import type { Actor } from '../../../platform/access/index.ts';
import { wholeNumber } from '../../../platform/cli/index.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction, type Sql } from '../../../platform/db/index.ts';
import { UnsealError, type Vault } from '../../../platform/secrets/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { deleteGateway, type GatewayRow, lockGateways, saveGateway } from '../aaa.queries.ts';
import { isWholeNetwork } from '../network.rules.ts';
import { defaultInterimSeconds, minInterimSeconds } from './clients.ts';
import { rateAttributes } from './rate-attributes.ts';

/** RFC 2865, 3 advises at least 16 octets; fewer than 6 are certainly a mistake. No gateway accepts more than 128. */
const secretSchema = z.string().min(6).max(128);

export const gatewayFields = {
  name: textSchema({ max: 60 }),
  network: z
    .union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()])
    .refine(isWholeNetwork, 'must be an address, or a network without bits behind its prefix'),
  coaHost: z.union([z.ipv4(), z.ipv6()]),
  coaPort: wholeNumber(1, 65_535),
  rateAttribute: z.enum(rateAttributes),
  interimSeconds: wholeNumber(minInterimSeconds, 86_400),
};

export interface GatewaySettings {
  name: string;
  network: string;
  /** Null: Disconnect and CoA are sent to the source address of the session's packets. */
  coaHost: string | null;
  coaPort: number;
  rateAttribute: (typeof rateAttributes)[number];
  interimSeconds: number;
  requireMessageAuthenticator: boolean;
}

const defaultSettings = {
  coaHost: null,
  coaPort: 3799,
  rateAttribute: rateAttributes[0],
  interimSeconds: defaultInterimSeconds,
  requireMessageAuthenticator: true,
};

export interface GatewayOptions {
  pool: pg.Pool;
  vault: Vault;
  /** The actor for the audit trail; none for the demonstration. */
  by?: { actor: Actor; clock: Clock };
}

/**
 * Adds a gateway, or changes the one with that name; omitted options keep their values. Running servers apply it
 * immediately.
 * @param secret undefined keeps that of an existing gateway
 * @throws z.ZodError if the secret is too short or too long; Error if a new gateway has no network or no secret
 */
export const addGateway = (
  { pool, vault, by }: GatewayOptions,
  input: Partial<GatewaySettings> & { name: string },
  secret: string | undefined,
): Promise<StoredGateway> =>
  inTransaction(pool, async (tx) => {
    const options = { vault, by: by && { actor: by.actor, at: by.clock.now() } };
    const [before] = await lockGateways(tx, [input.name]);
    const network = input.network ?? before?.network;
    if (network === undefined)
      throw new Error(`There is no gateway ${input.name} yet: a new one needs --network`);
    if (!before && secret === undefined)
      throw new Error(
        `There is no gateway ${input.name} yet: a new one needs a shared secret (--secret-stdin)`,
      );
    const settings = { ...defaultSettings, ...(before && settingsOf(before)), ...input, network };
    return storeGateway(tx, options, { before, settings, secret });
  });

const settingsOf = (row: GatewayRow) => ({
  coaHost: row.coa_host,
  coaPort: row.coa_port,
  rateAttribute: gatewayFields.rateAttribute.parse(row.rate_attribute),
  interimSeconds: row.interim_seconds,
  requireMessageAuthenticator: row.require_message_authenticator,
});

export interface StoredGateway {
  before: GatewayRow | undefined;
  after: GatewayRow;
  /** The fields that changed; empty if none did. */
  changed: string[];
  hasNewSecret: boolean;
}

/**
 * Like `addGateway`, in the caller's transaction, which holds the lock on any gateway with that name. Without a
 * secret the gateway keeps its current one.
 * @throws z.ZodError if the secret is too short or too long; SecretMissing if a new gateway has none
 */
export const storeGateway = async (
  tx: Sql,
  { vault, by }: { vault: Vault; by?: { actor: Actor; at: Date } | undefined },
  {
    before,
    settings,
    secret,
  }: { before: GatewayRow | undefined; settings: GatewaySettings; secret: string | undefined },
): Promise<StoredGateway> => {
  const parsed = z.object({ secret: secretSchema.optional() }).parse({ secret });
  const sealedSecret = sealSecret(before, parsed.secret, vault);
  const keepsSecret = before?.sealed_secret === sealedSecret;
  const after = await saveGateway(tx, { ...settings, sealedSecret });
  const change = changeOf(before && auditFacts(before), {
    ...auditFacts(after),
    ...(!keepsSecret && { shared_secret_set: true }),
  });
  if (by && change) {
    await recordAudit(tx, {
      orgId: null,
      ...by,
      action: before ? 'gateway.changed' : 'gateway.added',
      subject: { kind: 'gateway', id: String(after.id), name: after.name },
      ...change,
    });
  }
  return { before, after, changed: Object.keys(change?.after ?? {}), hasNewSecret: !keepsSecret };
};

/** A new gateway needs a secret. */
export class SecretMissing extends Error {}

/** Keeps the stored value if the secret is the same or omitted. */
const sealSecret = (before: GatewayRow | undefined, secret: string | undefined, vault: Vault): Buffer => {
  if (before && (secret === undefined || openSecret(before, vault) === secret)) return before.sealed_secret;
  if (secret === undefined) throw new SecretMissing('it has no secret yet, and the file names none');
  return vault.seal(secret);
};

/** @returns false if there is none with this name */
export const removeGateway = ({ pool, by }: Omit<GatewayOptions, 'vault'>, name: string): Promise<boolean> =>
  inTransaction(pool, async (tx) => {
    const removed = await deleteGateway(tx, name);
    if (removed && by) {
      await recordAudit(tx, {
        orgId: null,
        actor: by.actor,
        at: by.clock.now(),
        action: 'gateway.removed',
        subject: { kind: 'gateway', id: String(removed.id), name },
        before: auditFacts(removed),
      });
    }
    return removed !== undefined;
  });

/** The previous secret; undefined if it can no longer be decrypted, which must not prevent setting a new one. */
const openSecret = ({ sealed_secret }: GatewayRow, vault: Vault): string | undefined => {
  try {
    return vault.open(sealed_secret);
  } catch (error) {
    if (error instanceof UnsealError) return undefined;
    throw error;
  }
};

type Facts = Record<string, unknown>;

const auditFacts = ({ id: _, name: __, sealed_secret: ___, ...facts }: GatewayRow): Facts => facts;

/** The differences; `before` is null for a new gateway. Undefined if there are none. */
const changeOf = (
  before: Facts | undefined,
  after: Facts,
): { before: Facts | null; after: Facts } | undefined => {
  if (!before) return { before: null, after };
  const names = Object.keys(after).filter((name) => before[name] !== after[name]);
  if (names.length === 0) return undefined;
  const pick = (facts: Facts) => Object.fromEntries(names.map((name) => [name, facts[name] ?? null]));
  return { before: pick(before), after: pick(after) };
};
