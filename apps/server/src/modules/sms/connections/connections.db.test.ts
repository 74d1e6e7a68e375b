import { afterAll, beforeAll, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { vaultOf } from '../../../platform/secrets/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { radiusKey } from '../../../testing/radius.ts';
import { operatorActor } from '../../audit/index.ts';
import { listConnections, saveState } from './connections.queries.ts';
import { addConnection } from './connections.service.ts';

const clock = new FixedClock('2026-11-21T12:00:00.000Z');
let database: Database;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

it('a connection shows its last error until it is bound, also during retries', async () => {
  const { pool } = database;
  const options = { pool, clock, vault: vaultOf(radiusKey), actor: operatorActor() };
  const to = { name: 'one', bind: 'transceiver', host: 'smsc.example', port: 2775, tls: true } as const;
  const rest = { sender: null, priority: 0, window_size: 10, rate_per_second: null, system_type: '' };
  await addConnection(options, { ...to, ...rest, system_id: 'esme' }, 'secret');
  const [{ id } = { id: 0 }] = await listConnections(pool);
  const said = async (state: string, error: string | null) => {
    await saveState(pool, { id, state, error, now: clock.now() });
    return (await pool.query('select state, state_error as error from smsc_connections')).rows;
  };
  const error = 'connect-failed CERT_HAS_EXPIRED: the certificate of the SMSC has expired';
  expect(await said('waiting', error)).toEqual([{ state: 'waiting', error }]);
  expect(await said('connecting', null)).toEqual([{ state: 'connecting', error }]);
  expect(await said('bound', null)).toEqual([{ state: 'bound', error: null }]);
});
