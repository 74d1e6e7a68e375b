import { endpoints } from '@simcube/contract';
import { hourMs } from '@simcube/contract/time';
import { afterAll, expect, it } from 'vitest';
import { makeOrganisation, signedInAs } from '../../../testing/app.ts';
import { testNetwork } from '../../../testing/network.ts';
import { radiusInventory, sendAccounting } from '../../../testing/radius.ts';

const simCount = 60;
const step = { up: 700, down: 300 };

const { test, gateway, server, close } = await testNetwork();
afterAll(close);

const sums = async (orgId: number) =>
  (
    await test.database.pool.query<{ cdrs: number; hourly: number; daily: number }>(
      `select (select coalesce(sum(up_bytes + down_bytes), 0)::bigint from cdrs where org_id = $1) as cdrs,
         (select coalesce(sum(up_bytes + down_bytes), 0)::bigint from org_usage_hourly where org_id = $1) as hourly,
         (select coalesce(sum(up_bytes + down_bytes), 0)::bigint from org_usage_daily where org_id = $1) as daily`,
      [orgId],
    )
  ).rows[0];

it('usage counts for the former organisation until the transfer, for the new one from then on, and never for both', async () => {
  const sims = await radiusInventory(test.database, simCount, { coaPort: gateway.port });
  const { pool } = test.database;
  const { rows } = await pool.query(
    `select id, code, tenant_id as "tenantId" from organisations where id = $1`,
    [sims.orgId],
  );
  const target = await makeOrganisation(test, { code: 'target' });
  const admin = await signedInAs(test, 'admin', rows[0]);
  await test.wiring.org.addMembership(pool, {
    userId: admin.userId,
    orgId: target.id,
    role: 'admin',
    oversight: false,
  });

  const stopping = new AbortController();
  let acknowledged = 0;
  const began = test.clock.now().getTime() - 2 * hourMs;
  /** A device that reports continuously; each report is a second later than the last. */
  const drive = async (index: number): Promise<number> => {
    const packet = { imsi: sims.imsi(index), session: `S-${index}`, ip: `10.9.0.${index + 1}` };
    let steps = 0;
    await sendAccounting(server.acct, 'start', { ...packet, at: new Date(began) });
    while (!stopping.signal.aborted) {
      steps += 1;
      const told = { up: steps * step.up, down: steps * step.down };
      const ok = await sendAccounting(server.acct, 'interim', {
        ...packet,
        ...told,
        at: new Date(began + steps * 1000),
      });
      if (!ok) throw new Error('not acknowledged');
      acknowledged += 1;
    }
    return steps * (step.up + step.down);
  };
  const driving = Array.from({ length: simCount }, (_, index) => drive(index));
  const until = (count: number) =>
    expect.poll(() => acknowledged, { timeout: 20_000, interval: 5 }).toBeGreaterThan(count);

  await until(simCount * 5);
  const before = await sums(sims.orgId);
  expect(before?.cdrs).toBeGreaterThan(0);
  const moving = Array.from({ length: simCount }, (_, index) => sims.iccid(index));
  const answer = await admin.call(endpoints.sim.transfer, {
    body: { target_code: 'target', selection: { iccids: moving }, preview: false },
  });
  expect(answer.body.status).toMatchObject({ success: true });
  await expect
    .poll(async () => (await pool.query('select 1 from sims where org_id = $1', [target.id])).rowCount, {
      timeout: 20_000,
    })
    .toBe(simCount);
  await until(acknowledged + simCount * 5);
  stopping.abort();
  const total = (await Promise.all(driving)).reduce((sum, bytes) => sum + bytes, 0);

  const [left, came] = [await sums(sims.orgId), await sums(target.id)];
  expect(left).toEqual({ cdrs: left?.cdrs, hourly: left?.cdrs, daily: left?.cdrs });
  expect(came).toEqual({ cdrs: came?.cdrs, hourly: came?.cdrs, daily: came?.cdrs });
  expect(left?.cdrs).toBeGreaterThanOrEqual(before?.cdrs ?? 0);
  expect(came?.cdrs).toBeGreaterThan(0);
  expect((left?.cdrs ?? 0) + (came?.cdrs ?? 0)).toBe(total);
  const mixed = await pool.query(
    `select sim_id from cdrs group by sim_id
     having max(ended_at) filter (where org_id = $1) >= min(ended_at) filter (where org_id = $2)`,
    [sims.orgId, target.id],
  );
  expect(mixed.rows).toEqual([]);
  // The earlier sessions were ended; later ones begin in the new organisation.
  await expect.poll(() => gateway.received.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(simCount);
}, 90_000);
