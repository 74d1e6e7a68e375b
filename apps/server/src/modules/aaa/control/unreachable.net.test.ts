import { attribute, readAttribute } from '@simcube/radius';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { vaultOf } from '../../../platform/secrets/index.ts';
import { type CoaGateway, openControlFixture } from '../../../testing/coa-gateway.ts';
import {
  radiusInventory,
  radiusKey,
  radiusSecret,
  sendAccounting,
  type TestRadius,
} from '../../../testing/radius.ts';
import { addGateway } from '../gateways/gateways.service.ts';
import { describeFailure } from './control.requests.ts';
import { createControl } from './control.service.ts';
import { createReconciliation } from './reconciliation.service.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
const timing = { initialTimeoutMs: 50, maxRetransmissions: 0, maxDurationMs: 100 };

let database: Database;
let server: TestRadius;
let gateway: CoaGateway;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ database, server, gateway, close } = await openControlFixture(clock));
});
afterAll(() => close());

const control = () => createControl({ pool: database.pool, vault: vaultOf(radiusKey), clock, timing });

const otherGateway = {
  name: 'other gateway',
  network: '192.0.2.0/24',
  coaHost: null,
  coaPort: 3799,
  rateAttribute: 'WISPr-Bandwidth-Max-Down' as const,
  interimSeconds: 300,
  requireMessageAuthenticator: true,
};

/** A paused SIM with two sessions, the second at another gateway. */
const pausedAtTwo = async (other: { coaHost?: string; key?: Buffer } = {}): Promise<{ simId: number }> => {
  const sims = await radiusInventory(database, 1, { coaPort: gateway.port });
  const vault = vaultOf(other.key ?? radiusKey);
  const settings = { ...otherGateway, coaHost: other.coaHost ?? null };
  await database.pool.query(`delete from radius_clients where name = $1`, [settings.name]);
  const {
    after: { id },
  } = await addGateway({ pool: database.pool, vault }, settings, radiusSecret);
  for (const [index, which] of ['near', 'far'].entries()) {
    const ip = `10.1.2.${index}`;
    await sendAccounting(server.acct, 'start', {
      imsi: sims.imsi(0),
      session: `${which} ${sims.orgId}`,
      at: clock.now(),
      ip,
    });
  }
  const simId = sims.ids[0] ?? 0;
  await database.pool.query('update radius_sessions set client_id = $2 where sim_id = $1 and ip = $3', [
    ...[simId, id, '10.1.2.1'],
  ]);
  await database.pool.query('update sims set lifecycle = 30 where id = $1', [simId]);
  return { simId };
};

const results = async (simId: number) =>
  (
    await database.pool.query(
      `select facts->>'gateway' as gateway, facts->>'result' as result from sim_events
       where sim_id = $1 and kind = 'network-disconnect' order by id`,
      [simId],
    )
  ).rows;

describe('a gateway that can’t be reached at all', () => {
  it.each([
    ['has an address that nothing can be sent to', { coaHost: '255.255.255.255' }],
    ['has a secret that was sealed with another key', { key: Buffer.alloc(32, 9) }],
  ])('that %s keeps no other gateway from ending its session', async (_, other) => {
    const { simId } = await pausedAtTwo(other);
    const outcomes = await control().execute({ simId, reason: 'paused' }, { includeFailures: true });
    expect(outcomes.map(({ gateway: of, isDone }) => [of?.name, isDone])).toEqual(
      expect.arrayContaining([
        ['test gateway', true],
        ['other gateway', false],
      ]),
    );
    expect(await results(simId)).toEqual(
      expect.arrayContaining([
        { gateway: 'test gateway', result: 'ack' },
        { gateway: 'other gateway', result: 'timeout' },
      ]),
    );
    const { rows } = await database.pool.query(
      `select event ->> 'kind' as kind from sims s, outbox o, jsonb_array_elements(o.payload -> 'sims') as event
       where s.id = $1 and o.topic = 'sim.events-recorded' and event ->> 'iccid' = s.iccid`,
      [simId],
    );
    expect(rows, 'an open page shows both').toEqual([
      { kind: 'network-disconnect' },
      { kind: 'network-disconnect' },
    ]);
  });

  it('does not keep the sweep from anything due elsewhere', async () => {
    const { simId } = await pausedAtTwo({ coaHost: '255.255.255.255' });
    const payload = JSON.stringify({ simId, reason: 'paused' });
    await database.pool.query(
      `insert into dead_lettered_jobs (id, name, payload, max_attempts, attempts, error, queued_at)
       values (1, 'aaa.control-sessions', $1, 5, 5, 'no reply', now())`,
      [payload],
    );
    const run = createReconciliation({ pool: database.pool, clock, control: control() }).run;
    expect(await run(new AbortController().signal)).toMatchObject({ resolved: 0 });
    expect(gateway.received.length).toBeGreaterThan(0);
  });

  it('leads to a reported failure, not an exception, if a session identifier does not fit into an attribute', async () => {
    const { simId } = await pausedAtTwo();
    await database.pool.query(
      `update radius_sessions set acct_session_id = repeat('é', 200) where sim_id = $1 and ip = '10.1.2.0'`,
      [simId],
    );
    const outcomes = await control().execute({ simId, reason: 'paused' }, { includeFailures: true });
    expect(outcomes).toHaveLength(2);
    const [unsent] = outcomes.filter(({ failure }) => failure);
    expect(unsent && describeFailure(unsent)).toContain('could not be sent a Disconnect-Request');
  });
});

describe('a gateway that identifies itself by its address', () => {
  it.each([
    [{ nasIdentifier: 'pgw-7', nasIpAddress: '192.0.2.7' }, attribute.nasIdentifier, 'pgw-7'],
    [{ nasIdentifier: '', nasIpAddress: '192.0.2.7' }, attribute.nasIpAddress, '192.0.2.7'],
    [{ nasIdentifier: '', nasIpv6Address: '2001:db8::7' }, attribute.nasIpv6Address, '2001:db8::7'],
  ])('as %j is asked by the same attribute (RFC 5176, 3)', async (more, expectedAttribute, value) => {
    const sims = await radiusInventory(database, 1, { coaPort: gateway.port });
    const [simId = 0] = sims.ids;
    await sendAccounting(server.acct, 'start', { imsi: sims.imsi(0), session: 'N', at: clock.now(), more });
    await database.pool.query('update sims set lifecycle = 30 where id = $1', [simId]);
    await control().execute({ simId, reason: 'paused' }, { includeFailures: true });
    const request = gateway.received.at(-1);
    const all = [attribute.nasIdentifier, attribute.nasIpAddress, attribute.nasIpv6Address];
    expect(request && all.map((one) => readAttribute<'text' | 'ipv4' | 'ipv6'>(request, one))).toEqual(
      all.map((one) => (one === expectedAttribute ? value : undefined)),
    );
  });
});
