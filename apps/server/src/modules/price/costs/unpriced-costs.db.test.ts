import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, dashboardDays } from '../../../platform/clock/business-day.ts';
import { inSnapshot, inTransaction, type Sql } from '../../../platform/db/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../../../testing/app.ts';
import {
  applyPrices,
  makePricedBundles,
  makeSimWithBundles,
  tariff,
  testCosts,
} from '../../../testing/prices.ts';
import { operatorActor } from '../../audit/index.ts';
import { bindTariff } from '../index.ts';
import { applyTariffs } from '../tariffs/tariffs.service.ts';

let server: TestApp;
let top: { id: number };
let below: { id: number };

beforeAll(async () => {
  server = await testApp();
  await makeOrganisation(server, { code: 'operator' });
  top = await makeOrganisation(server, { code: 'top', parentCode: 'operator' });
  await makeOrganisation(server, { code: 'middle', parentCode: 'top' });
  below = await makeOrganisation(server, { code: 'below', parentCode: 'middle' });
  await makePricedBundles(server.database.pool);
  await applyPrices(server, { organisations: [] });
});
afterAll(() => server.close());

const bind = (order: Parameters<typeof bindTariff>[1]) =>
  inTransaction(server.database.pool, (tx) =>
    bindTariff(tx, order, { actor: operatorActor(), at: server.clock.now() }),
  );

test('without a tariff there are no costs and no cycle is read; one bound here or above applies immediately', async () => {
  const { pool } = server.database;
  const costs = testCosts(pool);
  const now = new Date('2026-11-21T02:00:00Z');
  const sims = {
    top: await makeSimWithBundles(server, { orgId: top.id, now }),
    below: await makeSimWithBundles(server, { orgId: below.id, now }),
  };
  /** Costs of SIMs in cents, and the SIM tables that were read for them. */
  const ask = (of: keyof typeof sims, orgId: number) =>
    inSnapshot(pool, async (tx) => {
      const { iccid } = sims[of];
      let reads = 0;
      const query: Sql['query'] = (text: never, ...rest: never[]) => {
        if (String(text).includes('sim_live')) reads += 1;
        return tx.query(text, ...rest);
      };
      const found = await costs({ orgId, iccids: [iccid], snapshot: { ...tx, query } });
      return [found.get(iccid)?.total_minor, reads];
    });
  expect(await ask('top', top.id)).toEqual([undefined, 0]);
  expect(await ask('below', below.id)).toEqual([undefined, 0]);

  await inSnapshot(pool, async (before) => {
    await before.query('select');
    await bind({ organisation: 'top', tariff: 'standard' });
    const asked = { orgId: below.id, iccids: [sims.below.iccid] };
    expect((await costs({ ...asked, snapshot: before })).size).toBe(0);
    expect((await costs(asked)).get(sims.below.iccid)?.total_minor).toBe(599);
  });
  expect(await ask('top', top.id)).toEqual([599, 1]);
  expect(await ask('below', below.id)).toEqual([599, 1]);

  // A cycle that began under a tariff keeps its price when the organisation is unbound later.
  await bind({ organisation: 'top', tariff: null, from: '2026-11-22' });
  expect(await ask('below', below.id)).toEqual([599, 1]);
});

test('a binding may begin in the past if there was no price, even before one that began too late', async () => {
  await makeOrganisation(server, { code: 'late' });
  const from = (day: string | undefined, code: string | null = 'standard') =>
    bind({ organisation: 'late', tariff: code, from: day });
  await from(undefined);
  expect(await from('2026-10-01')).toEqual({ startsOn: '2026-10-01', changed: true });
  expect(await from('2026-10-01')).toEqual({ startsOn: '2026-10-01', changed: false });
  await expect(from('2026-11-05', null)).rejects.toThrow('late already has prices on 2026-11-05');
  expect(await from('2026-09-01')).toMatchObject({ changed: true });
});

test('a binding begins today only where there is no price today: cycles of today keep theirs', async () => {
  await makeOrganisation(server, { code: 'priced' });
  await makeOrganisation(server, { code: 'inherits', parentCode: 'priced' });
  const today = dashboardDays.dayOf(server.clock.now());
  const tomorrow = addDays(today, 1);
  const from = (organisation: string, code: string | null, day?: string) =>
    bind({ organisation, tariff: code, from: day });
  expect(await from('priced', 'standard')).toEqual({ startsOn: today, changed: true });
  await expect(from('priced', null, today)).rejects.toThrow(
    `priced already has prices on ${today}: bind it from tomorrow (${tomorrow}, UTC+8) or later`,
  );
  // Also where the price is that of the organisation above.
  await inTransaction(server.database.pool, (tx) =>
    applyTariffs(tx, [tariff({ code: 'other' })], { actor: operatorActor(), at: server.clock.now() }),
  );
  await expect(from('inherits', 'other', today)).rejects.toThrow('inherits already has prices');
  expect(await from('inherits', 'other')).toEqual({ startsOn: tomorrow, changed: true });
  expect(await from('priced', null)).toEqual({ startsOn: tomorrow, changed: true });
});
