import { attribute, radiusCode } from '@simcube/radius';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { vaultOf } from '../../../platform/secrets/index.ts';
import { type CoaGateway, openControlFixture } from '../../../testing/coa-gateway.ts';
import {
  accountingAttributes,
  allCounted,
  countedBytes,
  radiusInventory,
  radiusKey,
  type TestRadius,
} from '../../../testing/radius.ts';
import { aaaJobs } from '../aaa.jobs.ts';
import { controlJob } from './control.job.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
const log = createLog({ level: 'silent', format: 'json' });
const timing = { initialTimeoutMs: 50, maxRetransmissions: 1, maxDurationMs: 150 };

let database: Database;
let server: TestRadius;
let gateway: CoaGateway;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ database, server, gateway, close } = await openControlFixture(clock));
});
afterAll(() => close());

describe('Acct-Session-Ids that are not UTF-8', () => {
  it('identify separate sessions, and a Disconnect names each by the octets that its gateway sent', async () => {
    const sims = await radiusInventory(database, 1, { coaPort: gateway.port });
    const ids = ['41fe', '41ff', '3d4646', '0041'];
    for (const id of ids) {
      const octets = Buffer.from(id, 'hex');
      const packet = { imsi: sims.imsi(0), session: '', at: clock.now(), up: 100 };
      const attributes = accountingAttributes('interim', packet).addEncoded(
        Buffer.concat([Buffer.of(attribute.acctSessionId.type, octets.length + 2), octets]),
      );
      expect(await server.acct.send({ code: radiusCode.accountingRequest, attributes })).toMatchObject({
        ok: true,
      });
    }
    const { rows } = await database.pool.query(
      'select acct_session_id as id from radius_sessions where sim_id = $1 order by acct_session_id collate "C"',
      [sims.ids[0]],
    );
    expect(rows.map(({ id }) => id)).toEqual(['=00A', '=3DFF', 'A=FE', 'A=FF']);
    expect(await countedBytes(database, sims.orgId)).toEqual(allCounted(400));

    await database.pool.query('update sims set lifecycle = 30 where id = $1', [sims.ids[0]]);
    const handlers = aaaJobs({ pool: database.pool, vault: vaultOf(radiusKey), clock, timing });
    const control = handlers.find(({ job }) => job.name === controlJob.name);
    const order = { simId: sims.ids[0], reason: 'paused' };
    await control?.handle(order, { signal: new AbortController().signal, log, attempt: 1 });
    const addressed = gateway.received.map((packet) => {
      const at = packet.find(attribute.acctSessionId);
      return packet.raw.subarray(at, packet.valueEnd(at)).toString('hex');
    });
    expect(addressed).toHaveLength(ids.length);
    expect(new Set(addressed)).toEqual(new Set(ids));
  });
});
