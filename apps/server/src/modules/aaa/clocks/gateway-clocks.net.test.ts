import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { radiusInventory, sendAccounting, testRadius } from '../../../testing/radius.ts';
import { listClocks, recordClocks } from './gateway-clocks.queries.ts';

const noon = new Date('2026-11-21T12:00:00Z');
const after = (seconds: number) => new Date(noon.getTime() + seconds * 1000);

let database: Database;

beforeEach(async () => {
  database = await testDatabase({ max: 12 });
});
afterEach(() => database.close());

const clocks = async (now = noon) =>
  (await listClocks(database.pool, now)).map(({ nas, lagMs }) => [nas, lagMs]);

it('the fastest report of each gateway shows by how much its clock is wrong', async () => {
  const sims = await radiusInventory(database, 1);
  const server = await testRadius(database, new FixedClock(noon));
  const report = (nas: string, seconds: number, acctDelayTime = 0) =>
    sendAccounting(server.acct, 'interim', {
      imsi: sims.imsi(0),
      session: `${nas} ${seconds}`,
      at: after(seconds),
      more: { nasIdentifier: nas, acctDelayTime },
    });
  await report('right', -5000);
  await report('right', 0);
  await report('right', -900, 895);
  await report('behind', -3605, 5);
  await report('behind', -7200);
  await report('ahead', 400);
  await server.stop();
  expect(await clocks()).toEqual([
    ['behind', 3_600_000],
    ['ahead', -400_000],
    ['right', 0],
  ]);
  expect((await server.metrics.radiusClockLag.get()).values).toMatchObject([
    { labels: { gateway: 'test gateway' }, value: 3600 },
  ]);
});

describe('the lag of a gateway', () => {
  const record = (lagMs: number, seconds: number) =>
    recordClocks(
      database.pool,
      [{ gateway: 'paris-1', nas: 'pgw', lagMs, measuredAt: after(seconds) }],
      after(seconds),
    );

  it('is the smallest of the last hour, so that a clock that was set shows', async () => {
    await record(200, 0);
    await record(90, 60);
    await record(5000, 3600);
    expect(await clocks(after(3600))).toEqual([['pgw', 90]]);
    await record(5000, 3661);
    expect(await clocks(after(3661))).toEqual([['pgw', 5000]]);
  });

  it('is forgotten an hour after it was measured', async () => {
    await record(200, 0);
    expect(await clocks(after(3601))).toEqual([]);
    await recordClocks(
      database.pool,
      [{ gateway: 'paris-2', nas: 'pgw', lagMs: 1, measuredAt: after(3601) }],
      after(3601),
    );
    expect((await database.pool.query('select gateway from radius_clocks')).rows).toEqual([
      { gateway: 'paris-2' },
    ]);
  });
});
