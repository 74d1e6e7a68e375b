import { z } from 'zod';
import type { CatalogueChange, CataloguePart, ChangeContext } from '../../../platform/catalogue/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import type { Vault } from '../../../platform/secrets/index.ts';
import { freeNetworks, type GatewayRow, listGateways, lockGateways } from '../aaa.queries.ts';
import { networkKey } from '../network.rules.ts';
import { defaultInterimSeconds, minInterimSeconds } from './clients.ts';
import { gatewayFields, SecretMissing, storeGateway } from './gateways.service.ts';
import { rateAttributes } from './rate-attributes.ts';

/** Where the shared secret is stored; the secret itself is never in the file. */
const secretReferenceSchema = z.union([
  z.strictObject({ env: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/) }),
  z.strictObject({ file: z.string().min(1).max(4096) }),
]);
export type SecretReference = z.output<typeof secretReferenceSchema>;

const gatewaySchema = z.strictObject({
  name: gatewayFields.name,
  /** Address or network that the gateway's packets come from. */
  network: gatewayFields.network,
  /** Destination of Disconnect and CoA; null: the source of the gateway's packets. */
  coa_host: gatewayFields.coaHost.nullable().default(null),
  coa_port: z.int().min(1).max(65_535).default(3799),
  rate_attribute: gatewayFields.rateAttribute.default(rateAttributes[0]),
  interim_seconds: z.int().min(minInterimSeconds).max(86_400).default(defaultInterimSeconds),
  require_message_authenticator: z.boolean().default(true),
  /** If omitted, an existing gateway keeps its secret. */
  secret: secretReferenceSchema.optional(),
});

export interface GatewayCatalogueOptions {
  vault: Vault;
  readReference: (reference: SecretReference) => Promise<string>;
}

/** The gateways in the catalogue file. */
export const gatewayCatalogue = (options: GatewayCatalogueOptions): CataloguePart<typeof gatewaySchema> => ({
  list: 'gateways',
  entry: gatewaySchema,
  maxEntries: 1000,
  apply: async (tx, entries, by) => {
    const changes: CatalogueChange[] = [];
    const names = new Set(entries.map(({ name }) => name));
    const rows = await lockGateways(tx, [...names]);
    const existing = new Map(rows.map((row) => [row.name, row]));
    const others = (await listGateways(tx)).filter(({ name }) => !names.has(name));
    const owners = new Map(others.map(({ name, network }) => [networkKey(network), name]));
    const moving = entries.flatMap(({ name, network }) => {
      const before = existing.get(name);
      return before && networkKey(before.network) !== networkKey(network) ? [before.id] : [];
    });
    await freeNetworks(tx, moving);
    for (const entry of entries) {
      const key = networkKey(entry.network);
      const owner = owners.get(key);
      owners.set(key, entry.name);
      changes.push(
        owner === undefined
          ? await applyGateway(tx, entry, { ...options, by, before: existing.get(entry.name) })
          : changeOf(entry, 'refused', [`its network belongs to gateway ${owner}`]),
      );
    }
    return changes;
  },
  read: async (sql) => (await listGateways(sql)).map(entryOf),
});

const entryOf = ({ id: _, sealed_secret: __, ...row }: GatewayRow): z.input<typeof gatewaySchema> => ({
  ...row,
  rate_attribute: row.rate_attribute as z.output<typeof gatewaySchema>['rate_attribute'],
});

const changeOf = (
  { name: code }: { name: string },
  change: CatalogueChange['change'],
  details: string[],
): CatalogueChange => ({ kind: 'gateway', code, change, details });

/** A reference to a secret can't be resolved or read. */
class SecretUnreadable extends Error {}

const unreadable = (cause: unknown): never => {
  throw new SecretUnreadable(
    `its secret can't be read: ${cause instanceof Error ? cause.message : String(cause)}`,
    { cause },
  );
};

const applyGateway = async (
  tx: Sql,
  entry: z.output<typeof gatewaySchema>,
  {
    vault,
    readReference,
    by,
    before,
  }: GatewayCatalogueOptions & { by: ChangeContext; before: GatewayRow | undefined },
): Promise<CatalogueChange> => {
  const { name, network } = entry;
  const change = (kind: CatalogueChange['change'], details: string[] = []) => changeOf(entry, kind, details);
  const settings = {
    name,
    network,
    coaHost: entry.coa_host,
    coaPort: entry.coa_port,
    rateAttribute: entry.rate_attribute,
    interimSeconds: entry.interim_seconds,
    requireMessageAuthenticator: entry.require_message_authenticator,
  };
  try {
    const secret = entry.secret && (await readReference(entry.secret).catch(unreadable));
    const { changed } = await storeGateway(tx, { vault, by }, { before, settings, secret });
    if (!before) return change('made');
    return changed.length === 0 ? change('unchanged') : change('changed', changed);
  } catch (error) {
    if (error instanceof SecretMissing || error instanceof SecretUnreadable)
      return change('refused', [error.message]);
    if (error instanceof z.ZodError) return change('refused', ['its secret must have 6 to 128 characters']);
    throw error;
  }
};
