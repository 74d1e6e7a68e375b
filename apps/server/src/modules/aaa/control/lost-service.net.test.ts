import { attribute, errorCause, radiusCode, readAttribute } from '@simcube/radius';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { vaultOf } from '../../../platform/secrets/index.ts';
import { type CoaGateway, openControlFixture } from '../../../testing/coa-gateway.ts';
import {
  allCounted,
  countedBytes,
  radiusInventory,
  radiusKey,
  sendAccounting,
  type TestRadius,
} from '../../../testing/radius.ts';
import { aaaJobs } from '../aaa.jobs.ts';
import { controlJob } from './control.job.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
const log = createLog({ level: 'silent', format: 'json' });
const timing = { initialTimeoutMs: 500, maxRetransmissions: 1, maxDurationMs: 1_000 };
const minute = 60_000;

let database: Database;
let server: TestRadius;
let gateway: CoaGateway;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ database, server, gateway, close } = await openControlFixture(clock));
});
afterAll(() => close());

describe('a session that its gateway said not to know (Error-Cause 503)', () => {
  it('stays closed at reports from before that, and is ended again once it reports later', async () => {
    const sims = await radiusInventory(database, 1, { coaPort: gateway.port });
    const simId = sims.ids[0];
    gateway.received.length = 0;
    const startedAt = clock.now().getTime();
    const report = (status: 'start' | 'interim', at: number, up: number) =>
      sendAccounting(server.acct, status, { imsi: sims.imsi(0), session: 'L', at: new Date(at), up });
    const stored = async () =>
      (
        await database.pool.query(
          `select r.stopped_at, r.terminate_cause, l.connection
           from radius_sessions r join sim_live l on l.sim_id = r.sim_id where r.sim_id = $1`,
          [simId],
        )
      ).rows;
    const heard = async (): Promise<number> =>
      (
        await database.pool.query(
          `select 1 from outbox where topic = 'aaa.heard-without-service' and org_id = $1`,
          [sims.orgId],
        )
      ).rows.length;
    const enforce = async () => {
      const handlers = aaaJobs({ pool: database.pool, vault: vaultOf(radiusKey), clock, timing });
      const control = handlers.find(({ job }) => job.name === controlJob.name);
      const order = { simId, reason: 'paused' };
      await control?.handle(order, { signal: new AbortController().signal, log, attempt: 1 });
    };

    expect(await report('start', startedAt, 0)).toBe(true);
    await database.pool.query('update sims set lifecycle = 30 where id = $1', [simId]);
    clock.set(new Date(startedAt + 10 * minute));
    gateway.react = () => ({ nak: errorCause.sessionContextNotFound });
    await enforce();
    const lost = { stopped_at: clock.now(), terminate_cause: 'Lost-Service', connection: 3 };
    expect(await stored()).toEqual([lost]);

    clock.set(new Date(startedAt + 11 * minute));
    expect(await report('interim', startedAt + 5 * minute, 100)).toBe(true);
    expect(await stored()).toEqual([lost]);
    expect(await countedBytes(database, sims.orgId)).toEqual(allCounted(100));
    await enforce();
    expect([await heard(), gateway.received.length]).toEqual([0, 1]);

    expect(await report('interim', startedAt + 11 * minute, 200)).toBe(true);
    expect(await stored()).toEqual([{ stopped_at: null, terminate_cause: null, connection: 1 }]);
    expect(await heard()).toBe(1);
    gateway.react = () => 'ack';
    await enforce();
    expect(
      gateway.received.map((packet) => [packet.code, readAttribute(packet, attribute.acctSessionId)]),
    ).toEqual([
      [radiusCode.disconnectRequest, 'L'],
      [radiusCode.disconnectRequest, 'L'],
    ]);
  });
});
