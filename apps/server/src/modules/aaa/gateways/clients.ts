import { BlockList, isIPv6 } from 'node:net';
import type pg from 'pg';
import type { Log } from '../../../platform/log/index.ts';
import type { Vault } from '../../../platform/secrets/index.ts';
import { type GatewayRow, listGateways } from '../aaa.queries.ts';

/** A network element that may speak RADIUS to us (`radius_clients`), with its secret decrypted. */
export interface Gateway {
  id: number;
  name: string;
  secret: Buffer;
  requireMessageAuthenticator: boolean;
  coaHost: string | null;
  coaPort: number;
  rateAttribute: string;
  interimSeconds: number;
}

/** For gateways without an interval of their own, and for sessions whose gateway is no longer known. */
export const defaultInterimSeconds = 300;

/** Acct-Interim-Interval must not be smaller (RFC 2869, 5.16); gateways may ignore it if it is. */
export const minInterimSeconds = 60;

/** Finds the gateway for a datagram's source address; the longest prefix wins. */
export interface Gateways {
  find(address: string): Gateway | undefined;
  byId(id: number): Gateway | undefined;
  reload(): Promise<void>;
}

interface Entry {
  gateway: Gateway;
  network: BlockList;
  prefix: number;
}

/** Maximum number of source addresses cached with their gateway; others are looked up each time. */
const maxCachedAddresses = 10_000;

export const loadGateways = async (pool: pg.Pool, vault: Vault, log: Log): Promise<Gateways> => {
  let entries: Entry[] = [];
  let byAddress = new Map<string, Gateway | null>();
  let reloadsStarted = 0;
  let latestReload = 0;

  const search = (address: string): Gateway | undefined => {
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    return entries.find(({ network }) => network.check(address, family))?.gateway;
  };
  const gateways: Gateways = {
    find(address) {
      const cached = byAddress.get(address);
      if (cached !== undefined) return cached ?? undefined;
      const found = search(address);
      if (byAddress.size < maxCachedAddresses) byAddress.set(address, found ?? null);
      return found;
    },
    byId: (id) => entries.find(({ gateway }) => gateway.id === id)?.gateway,
    async reload() {
      reloadsStarted += 1;
      const reload = reloadsStarted;
      const rows = await listGateways(pool);
      // Reads may finish out of order; the one that began last has the newest state.
      if (reload < latestReload) return;
      latestReload = reload;
      entries = rows.flatMap((row) => entryOf(row, vault, log)).sort((a, b) => b.prefix - a.prefix);
      byAddress = new Map();
    },
  };
  await gateways.reload();
  return gateways;
};

const entryOf = (row: GatewayRow, vault: Vault, log: Log): Entry[] => {
  const [address = '', bits = '32'] = row.network.split('/');
  const network = new BlockList();
  network.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4');
  try {
    return [{ gateway: gatewayOf(row, vault), network, prefix: Number(bits) }];
  } catch (error) {
    log.error(
      { err: error, gateway: row.name },
      'the secret of a gateway cannot be decrypted; its packets are refused',
    );
    return [];
  }
};

/** @throws Error when the secret was sealed with another key */
export const gatewayOf = (row: GatewayRow, vault: Vault): Gateway => ({
  id: row.id,
  name: row.name,
  secret: Buffer.from(vault.open(row.sealed_secret), 'utf8'),
  requireMessageAuthenticator: row.require_message_authenticator,
  coaHost: row.coa_host,
  coaPort: row.coa_port,
  rateAttribute: row.rate_attribute,
  interimSeconds: row.interim_seconds,
});
