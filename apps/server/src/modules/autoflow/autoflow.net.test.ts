import { radiusCode } from '@simcube/radius';
import { afterAll, describe, expect, it } from 'vitest';
import { signedInAs } from '../../testing/app.ts';
import { makeRule } from '../../testing/autoflow-rules.ts';
import { testNetwork, untilOneSucceeds, withinTwoSeconds } from '../../testing/network.ts';
import { attributesOf, radiusInventory, sendAccounting } from '../../testing/radius.ts';

const { test, gateway, server, close } = await testNetwork();
afterAll(close);

describe('usage that comes to the threshold of a rule', () => {
  it('has data turned off within two seconds, and the next request rejected', untilOneSucceeds, async () => {
    const { pool } = test.database;
    const sims = await radiusInventory(test.database, 2, { coaPort: gateway.port });
    const { rows } = await pool.query(
      `select id, code, tenant_id as "tenantId" from organisations where id = $1`,
      [sims.orgId],
    );
    await signedInAs(test, 'admin', rows[0]);
    const owner = await pool.query<{ user_id: string }>('select user_id from memberships where org_id = $1', [
      sims.orgId,
    ]);
    await makeRule(
      pool,
      { orgId: sims.orgId, ownerId: owner.rows[0]?.user_id ?? '' },
      {
        trigger: { kind: 'data-usage', period: 'day', threshold: { unit: 'KB', amount: 10 } },
        actions: [{ kind: 'data-off' }, { kind: 'add-tag', tag: 'over' }],
        armedAt: test.clock.now(),
      },
    );
    const tell = (status: 'start' | 'interim', up = 0, index = 0) =>
      sendAccounting(server.acct, status, {
        imsi: sims.imsi(index),
        session: `A${sims.orgId}-${index}`,
        at: test.clock.now(),
        up,
        ip: `10.${sims.orgId % 200}.3.${index + 1}`,
      });
    const ask = async (index: number) => {
      const attributes = attributesOf({ imsi: sims.imsi(index), calledStationId: 'iot.example' });
      const reply = await server.auth.send({ code: radiusCode.accessRequest, attributes });
      return reply.ok && reply.packet.code === radiusCode.accessAccept;
    };
    await tell('start');
    await tell('start', 0, 1);
    test.clock.advance(60_000);
    await tell('interim', 10_239);
    await tell('interim', 900, 1);
    expect(await ask(0)).toBe(true);
    test.clock.advance(60_000);
    await tell('interim', 10_240);
    await expect.poll(() => ask(0), withinTwoSeconds).toBe(false);
    expect(await ask(1)).toBe(true);
    const states = () =>
      pool
        .query(
          'select state, (select tags from sims where id = sim_id) as tags from autoflow_firings where org_id = $1',
          [sims.orgId],
        )
        .then((found) => found.rows);
    await expect.poll(states, withinTwoSeconds).toEqual([{ state: 1, tags: ['over'] }]);
  });
});
