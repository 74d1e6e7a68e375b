import { endpoints } from '@simcube/contract';
import { hourMs } from '@simcube/contract/time';
import { attribute, radiusCode, readAttribute } from '@simcube/radius';
import { afterAll, expect, it } from 'vitest';
import { makeOrganisation, signedInAs } from '../../../testing/app.ts';
import { testNetwork } from '../../../testing/network.ts';
import { attributesOf, radiusInventory, sendAccounting } from '../../../testing/radius.ts';

const { test, gateway, server, close } = await testNetwork();
afterAll(close);

it.each([
  ['off', null],
  ['slow', 128],
])(
  'data that an operation of the former organisation turned %s works for the new one, from its next session',
  async (name, kbps) => {
    const sims = await radiusInventory(test.database, 1, { coaPort: gateway.port });
    const { pool } = test.database;
    const { rows } = await pool.query(
      `select id, code, tenant_id as "tenantId" from organisations where id = $1`,
      [sims.orgId],
    );
    const target = await makeOrganisation(test, { code: `new-${name}-${sims.orgId}` });
    const admin = await signedInAs(test, 'admin', rows[0]);
    const there = await signedInAs(test, 'admin', target);
    const membership = { userId: admin.userId, orgId: target.id, role: 'admin', oversight: false } as const;
    await test.wiring.org.addMembership(pool, membership);
    const [simId] = sims.ids;
    const session = `S${sims.orgId}-${name}`;
    const packet = { imsi: sims.imsi(0), session, at: test.clock.now(), ip: '10.9.1.1' };
    await sendAccounting(server.acct, 'start', packet);
    await pool.query(
      `update sim_live set held_until = $2, held_kbps = $3, network_rate_kbps = $3,
         lifecycle_changes = lifecycle_changes + 1 where sim_id = $1`,
      [simId, new Date(test.clock.now().getTime() + hourMs), kbps],
    );
    const ask = async () => {
      const attributes = attributesOf({ imsi: sims.imsi(0), calledStationId: 'iot.example' });
      const reply = await server.auth.send({ code: radiusCode.accessRequest, attributes });
      if (!reply.ok) throw new Error(reply.reason);
      return [reply.packet.code, readAttribute(reply.packet, attribute.wisprBandwidthMaxDown)];
    };
    expect(await ask()).toEqual(
      kbps === null ? [radiusCode.accessReject, undefined] : [radiusCode.accessAccept, kbps * 1000],
    );
    const selection = { iccids: [sims.iccid(0)] };
    const body = { target_code: target.code, selection, preview: false };
    expect((await admin.call(endpoints.sim.transfer, { body })).http).toBe(200);
    const disconnected = () =>
      gateway.received
        .filter(({ code }) => code === radiusCode.disconnectRequest)
        .map((request) => readAttribute(request, attribute.acctSessionId));
    await expect.poll(disconnected, { timeout: 20_000 }).toContain(session);
    await sendAccounting(server.acct, 'stop', { ...packet, at: test.clock.now() });
    const { body: seen } = await there.call(endpoints.sim.basic, { query: { iccid: sims.iccid(0) } });
    expect(seen.data?.data.state).toBe('open');
    expect(await ask()).toEqual([radiusCode.accessAccept, undefined]);
    const rates = () =>
      pool
        .query('select held_kbps as held, network_rate_kbps as network from sim_live where sim_id = $1', [
          simId,
        ])
        .then(({ rows: [live] }) => live);
    await expect.poll(rates, { timeout: 10_000 }).toEqual({ held: null, network: null });
    await sendAccounting(server.acct, 'start', { ...packet, session: `${session}-2`, at: test.clock.now() });
    expect(await rates()).toEqual({ held: null, network: null });
  },
);
