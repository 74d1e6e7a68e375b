import type pg from 'pg';
import { vaultOf } from '../../apps/server/src/platform/secrets/index.ts';
import type { Fleet } from './fleet.ts';
import { type BenchSmsc, readSubmitted, smscAccount } from './sms-smsc.ts';

/** Maximum messages without a response. */
export const window = 50;

interface SmsSetup {
  client: pg.Client;
  fleet: Fleet;
}

/** Makes all SIMs of the fleet able to receive messages. */
export const makeReachable = async (client: pg.Client): Promise<void> => {
  await client.query(
    `update sims set msisdn = coalesce(msisdn, '4915' || right(iccid, 9)), sms_suspended = false
     where msisdn is null or sms_suspended`,
  );
};

/** Connects the SMSC; waiting messages are sent from then on. */
export const connectSmsc = async ({ client, fleet }: SmsSetup, { port }: BenchSmsc): Promise<void> => {
  const sealed = vaultOf(Buffer.from(fleet.secretKey, 'hex')).seal(smscAccount.password);
  await client.query(
    `insert into smsc_connections (name, host, port, tls, bind, system_id, sealed_password, system_type, sender, priority,
       window_size) values ('bench', '127.0.0.1', $1, false, 'transceiver', $2, $3, '', '2800', 0, $4)`,
    [port, smscAccount.systemId, sealed, window],
  );
  await client.query(`notify smsc_connections`);
};

export const disconnectSmsc = async ({ client }: Pick<SmsSetup, 'client'>): Promise<void> => {
  await client.query('delete from smsc_connections');
  await client.query('notify smsc_connections');
};

const states = { sent: 1, delivered: 2, failed: 3, unknown: 4 };

/**
 * Compares messages, each to a different number, with those submitted to the SMSC. Lost: neither submitted nor failed; doubled:
 * submitted more than once. Messages whose outcome the product reports as unknown count as neither.
 */
export const compareMessages = async (client: pg.Client, file: string) => {
  const submitCounts = new Map<string, number>();
  for (const number of readSubmitted(file)) submitCounts.set(number, (submitCounts.get(number) ?? 0) + 1);
  const { rows } = await client.query<{ msisdn: string; status: number }>(
    'select msisdn, status from sms_messages where not mobile_originated',
  );
  const known = rows.filter(({ status }) => status !== states.unknown);
  const count = (state: number) => rows.filter(({ status }) => status === state).length;
  return {
    messages: rows.length,
    submitted: submitCounts.size,
    unknown: count(states.unknown),
    delivered: count(states.delivered),
    sent: count(states.sent),
    lost: known.filter(({ msisdn, status }) => status !== states.failed && !submitCounts.has(msisdn)).length,
    doubled: known.filter(({ msisdn }) => (submitCounts.get(msisdn) ?? 0) > 1).length,
  };
};
