import { attribute, errorCause, type RadiusPacket, radiusCode, readAttribute } from '@simcube/radius';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { vaultOf } from '../../../platform/secrets/index.ts';
import { type CoaGateway, type GatewayReaction, openControlFixture } from '../../../testing/coa-gateway.ts';
import { attributesOf, radiusInventory, radiusKey, type TestRadius } from '../../../testing/radius.ts';
import { aaaJobs } from '../aaa.jobs.ts';
import { controlJob } from './control.job.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
const log = createLog({ level: 'silent', format: 'json' });
const timing = { initialTimeoutMs: 500, maxRetransmissions: 1, maxDurationMs: 1_000 };

let database: Database;
let server: TestRadius;
let gateway: CoaGateway;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ database, server, gateway, close } = await openControlFixture(clock));
});
beforeEach(() => {
  gateway.received.length = 0;
});
afterAll(() => close());

const nasOf = (packet: RadiusPacket): string | undefined => readAttribute(packet, attribute.nasIdentifier);
/** Like a gateway with this NAS-Identifier (RFC 5176, 3.5). */
const named =
  (name: string) =>
  (packet: RadiusPacket): GatewayReaction => {
    const nas = nasOf(packet);
    if (nas === undefined) return { nak: errorCause.missingAttribute };
    return nas === name ? 'ack' : { nak: errorCause.nasIdentificationMismatch };
  };
const unnamed = (packet: RadiusPacket): GatewayReaction =>
  nasOf(packet) === undefined ? 'ack' : { nak: errorCause.nasIdentificationMismatch };

/** Begins a session of a gateway with this NAS-Identifier, and ends it. */
const endSession = async (nasIdentifier: string | undefined): Promise<void> => {
  const sims = await radiusInventory(database, 1, { coaPort: gateway.port });
  const attributes = attributesOf({
    acctStatusType: 1,
    acctSessionId: `N${sims.orgId}`,
    imsi: sims.imsi(0),
    eventTimestamp: clock.now().getTime() / 1000,
    ...(nasIdentifier !== undefined && { nasIdentifier }),
  });
  expect(await server.acct.send({ code: radiusCode.accountingRequest, attributes })).toMatchObject({
    ok: true,
  });
  await database.pool.query('update sims set lifecycle = 30 where id = $1', [sims.ids[0]]);
  const handlers = aaaJobs({ pool: database.pool, vault: vaultOf(radiusKey), clock, timing });
  const control = handlers.find(({ job }) => job.name === controlJob.name);
  const order = { simId: sims.ids[0], reason: 'paused' };
  await control?.handle(order, { signal: new AbortController().signal, log, attempt: 1 });
};

describe('the NAS attribute of a Disconnect', () => {
  it('is omitted if the gateway sends none and does not know the name that it has here', async () => {
    gateway.react = unnamed;
    await endSession(undefined);
    expect(gateway.received.map(nasOf)).toEqual(['test gateway', undefined]);
  });

  it('is the NAS-Identifier of the gateway, also if that is the name that it has here', async () => {
    gateway.react = named('test gateway');
    await endSession('test gateway');
    expect(gateway.received.map(nasOf)).toEqual(['test gateway']);
  });

  it('is not omitted if another gateway has that address now', async () => {
    gateway.react = named('pgw-2');
    await expect(endSession('pgw-1')).rejects.toThrow('with Error-Cause 403');
    expect(gateway.received.map(nasOf)).toEqual(['pgw-1']);
  });
});
