import type { Sql } from '../../platform/db/index.ts';
import { sealedColumn } from '../../platform/secrets/index.ts';

export interface GatewayRow {
  id: number;
  name: string;
  network: string;
  sealed_secret: Buffer;
  require_message_authenticator: boolean;
  coa_host: string | null;
  coa_port: number;
  rate_attribute: string;
  interim_seconds: number;
}

const columns = `id, name, network::text as network, sealed_secret, require_message_authenticator,
  host(coa_host) as coa_host, coa_port, rate_attribute, interim_seconds`;

/** Channel on which running servers are notified of changed gateways. */
export const gatewaysChannel = 'radius_clients';

/** Lists all gateways: an installation has few, and each server keeps them in memory. */
export const listGateways = async (sql: Sql): Promise<GatewayRow[]> =>
  (await sql.query<GatewayRow>(`select ${columns} from radius_clients order by name limit 10000`)).rows;

/** Gateways with the time of the latest update of any of their open sessions. */
export const listHeardGateways = async (sql: Sql): Promise<{ name: string; heardAt: Date | null }[]> =>
  (
    await sql.query<{ name: string; heardAt: Date | null }>(
      `select c.name, h.at as "heardAt" from radius_clients c left join (
         select client_id, max(updated_at) as at from radius_sessions where stopped_at is null group by client_id) as h
         on h.client_id = c.id
       order by c.name`,
    )
  ).rows;

export const findGateway = async (sql: Sql, id: number): Promise<GatewayRow | undefined> =>
  (await sql.query<GatewayRow>(`select ${columns} from radius_clients where id = $1`, [id])).rows[0];

/** Locks the gateways with these names until the transaction ends. */
export const lockGateways = async (tx: Sql, names: readonly string[]): Promise<GatewayRow[]> =>
  (
    await tx.query<GatewayRow>(
      `select ${columns} from radius_clients where name = any($1::text[]) order by radius_clients.id for update`,
      [names],
    )
  ).rows;

/**
 * Frees the networks of gateways that get other networks in the same transaction, so that one gateway may take over
 * another's. Until then each has an address from which no packet can come (RFC 6666).
 */
export const freeNetworks = async (tx: Sql, ids: readonly number[]): Promise<void> => {
  await tx.query(
    `update radius_clients set network = set_masklen('100::'::inet + id, 128)::cidr where id = any($1::bigint[])`,
    [ids],
  );
};

export interface NewGateway {
  name: string;
  network: string;
  sealedSecret: Buffer;
  requireMessageAuthenticator: boolean;
  coaHost: string | null;
  coaPort: number;
  rateAttribute: string;
  interimSeconds: number;
}

export const saveGateway = async (sql: Sql, gateway: NewGateway): Promise<GatewayRow> => {
  const { rows } = await sql.query<GatewayRow>(
    `insert into radius_clients (name, network, sealed_secret, require_message_authenticator, coa_host, coa_port,
       rate_attribute, interim_seconds)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (name) do update set network = excluded.network, sealed_secret = excluded.sealed_secret,
       require_message_authenticator = excluded.require_message_authenticator, coa_host = excluded.coa_host,
       coa_port = excluded.coa_port, rate_attribute = excluded.rate_attribute,
       interim_seconds = excluded.interim_seconds
     returning ${columns}`,
    [
      gateway.name,
      gateway.network,
      gateway.sealedSecret,
      gateway.requireMessageAuthenticator,
      gateway.coaHost,
      gateway.coaPort,
      gateway.rateAttribute,
      gateway.interimSeconds,
    ],
  );
  await sql.query('select pg_notify($1, $2)', [gatewaysChannel, '']);
  const [row] = rows;
  if (!row) throw new Error('The gateway could not be stored');
  return row;
};

/** @returns the deleted gateway; undefined if there is none with this name */
export const deleteGateway = async (sql: Sql, name: string): Promise<GatewayRow | undefined> => {
  const { rows } = await sql.query<GatewayRow>(
    `delete from radius_clients where name = $1 returning ${columns}`,
    [name],
  );
  await sql.query('select pg_notify($1, $2)', [gatewaysChannel, '']);
  return rows[0];
};

/** The shared secrets of gateways. */
export const gatewaySecrets = sealedColumn({
  name: 'gateways',
  table: 'radius_clients',
  id: 'bigint',
  column: 'sealed_secret',
  label: 's.name',
  notify: gatewaysChannel,
});

/** Networks whose MNC has three digits; there are a few hundred. */
export const listLongCodes = async (sql: Sql): Promise<ReadonlySet<number>> => {
  const { rows } = await sql.query<{ plmn: number }>(
    'select plmn from networks where length(mnc) = 3 order by plmn limit 10000',
  );
  return new Set(rows.map(({ plmn }) => plmn));
};
