import type { BindKind } from '@simcube/smpp';
import type { DefaultAlphabet } from '@simcube/smpp/text';
import type { Sql } from '../../../platform/db/index.ts';
import { sealedColumn } from '../../../platform/secrets/index.ts';
import type { SmppSettings } from './smpp-settings.rules.ts';

/** The settings of a connection. */
export interface ConnectionSettings extends SmppSettings {
  name: string;
  host: string;
  port: number;
  tls: boolean;
  bind: BindKind;
  system_id: string;
  /** Sender's address for organisations without one. */
  sender: string | null;
  priority: number;
  window_size: number;
  rate_per_second: number | null;
  /** What `data_coding` 0 means at the SMSC, in both directions. */
  default_alphabet: DefaultAlphabet;
}

export interface ConnectionRow extends ConnectionSettings {
  id: number;
  sealed_password: Buffer;
  /** As reported by the process that holds the connection. */
  state: string;
  state_at: Date | null;
  state_error: string | null;
}

const columns = `id, name, host, port, tls, bind, system_id, sealed_password, system_type, sender, priority, window_size,
  rate_per_second, default_alphabet, service_type, source_ton, source_npi, alphanumeric_ton, alphanumeric_npi,
  destination_ton, destination_npi, address_range, address_range_ton, address_range_npi, state, state_at, state_error`;

/** Channel on which the gateway is notified of changed connections. */
export const connectionsChannel = 'smsc_connections';

/** Lists all connections in the order in which they are used: an installation has few. */
export const listConnections = async (sql: Sql): Promise<ConnectionRow[]> =>
  (
    await sql.query<ConnectionRow>(
      `select ${columns} from smsc_connections order by priority, name limit 1000`,
    )
  ).rows;

/** Locks the connection with this name until the transaction ends. */
export const lockConnection = async (tx: Sql, name: string): Promise<ConnectionRow | undefined> =>
  (
    await tx.query<ConnectionRow>(`select ${columns} from smsc_connections where name = $1 for update`, [
      name,
    ])
  ).rows[0];

export const saveConnection = async (
  tx: Sql,
  { sealedPassword, ...settings }: ConnectionSettings & { sealedPassword: Buffer },
): Promise<ConnectionRow> => {
  const { rows } = await tx.query<ConnectionRow>(
    `insert into smsc_connections (name, host, port, tls, bind, system_id, sealed_password, system_type, sender, priority,
       window_size, rate_per_second, default_alphabet, service_type, source_ton, source_npi, alphanumeric_ton,
       alphanumeric_npi, destination_ton, destination_npi, address_range, address_range_ton, address_range_npi)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)
     on conflict (name) do update set host = excluded.host, port = excluded.port, tls = excluded.tls,
       bind = excluded.bind, system_id = excluded.system_id, sealed_password = excluded.sealed_password,
       system_type = excluded.system_type, sender = excluded.sender, priority = excluded.priority,
       window_size = excluded.window_size, rate_per_second = excluded.rate_per_second,
       default_alphabet = excluded.default_alphabet, service_type = excluded.service_type,
       source_ton = excluded.source_ton, source_npi = excluded.source_npi,
       alphanumeric_ton = excluded.alphanumeric_ton, alphanumeric_npi = excluded.alphanumeric_npi,
       destination_ton = excluded.destination_ton, destination_npi = excluded.destination_npi,
       address_range = excluded.address_range, address_range_ton = excluded.address_range_ton,
       address_range_npi = excluded.address_range_npi
     returning ${columns}`,
    [
      settings.name,
      settings.host,
      settings.port,
      settings.tls,
      settings.bind,
      settings.system_id,
      sealedPassword,
      settings.system_type,
      settings.sender,
      settings.priority,
      settings.window_size,
      settings.rate_per_second,
      settings.default_alphabet,
      settings.service_type,
      settings.source_ton,
      settings.source_npi,
      settings.alphanumeric_ton,
      settings.alphanumeric_npi,
      settings.destination_ton,
      settings.destination_npi,
      settings.address_range,
      settings.address_range_ton,
      settings.address_range_npi,
    ],
  );
  await tx.query('select pg_notify($1, $2)', [connectionsChannel, '']);
  const [row] = rows;
  if (!row) throw new Error('The connection could not be stored');
  return row;
};

/** @returns the deleted connection; undefined if there is none with this name */
export const deleteConnection = async (tx: Sql, name: string): Promise<ConnectionRow | undefined> => {
  const { rows } = await tx.query<ConnectionRow>(
    `delete from smsc_connections where name = $1 returning ${columns}`,
    [name],
  );
  await tx.query('select pg_notify($1, $2)', [connectionsChannel, '']);
  return rows[0];
};

/** While the connection is being retried, the last error remains. */
export const saveState = async (
  sql: Sql,
  { id, state, error, now }: { id: number; state: string; error: string | null; now: Date },
): Promise<void> => {
  await sql.query(
    `update smsc_connections set state = $2, state_at = $4,
       state_error = case when $2 = 'connecting' then state_error else $3 end where id = $1`,
    [id, state, error, now],
  );
};

/** The passwords of connections. */
export const smscPasswords = sealedColumn({
  name: 'SMSC connections',
  table: 'smsc_connections',
  id: 'bigint',
  column: 'sealed_password',
  label: 's.name',
  notify: connectionsChannel,
});
