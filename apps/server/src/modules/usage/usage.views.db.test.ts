import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FixedClock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { testDatabase } from '../../testing/database.ts';
import { makeUsageSims, sourceOf, type UsageSim } from '../../testing/usage-records.ts';
import { addToPools } from '../pool/index.ts';
import { syncNetworks } from '../sim/index.ts';
import { importCdrs, type UsageQuery, type UsageViews } from './index.ts';
import { createUsageViews } from './usage.views.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
let database: Database;
let views: UsageViews;
let own: UsageSim;
let silent: UsageSim;

beforeAll(async () => {
  database = await testDatabase();
  [own, silent] = await makeUsageSims(database.pool);
  await syncNetworks(database.pool);
  views = createUsageViews({ db: database.db, clock });
  const lines = [
    'identifier,record_id,ended_at,up_bytes,down_bytes,mcc,mnc,rat',
    `${own.iccid},a,2026-11-20T10:00:00Z,1,10,262,02,4G`,
    `${own.iccid},b,2026-11-20T10:59:59Z,2,20,262,02,5G`,
    `${own.iccid},c,2026-11-20T11:00:00Z,4,40,999,77,4G`,
    // The day of a SIM ends at midnight UTC, whatever the organisation's business day is.
    `${own.iccid},d,2026-11-20T23:59:59Z,8,80,,,`,
    `${own.iccid},e,2026-11-21T00:00:00Z,16,160,262,02,4G`,
    `${own.iccid},f,2026-10-31T23:59:59Z,32,320,262,02,4G`,
    `${own.iccid},g,2026-11-01T00:00:00Z,64,640,262,02,4G`,
  ];
  await importCdrs({
    countForPools: addToPools,
    pool: database.pool,
    clock,
    source: sourceOf(lines.join('\n')),
  });
});
afterAll(() => database.close());

const readUsage = (granularity: UsageQuery['granularity'], from: string, to: string, sim = own) =>
  views.simUsage(sim, { granularity, from, to });

const spoken = ({ points }: Awaited<ReturnType<typeof readUsage>>) =>
  points.filter(({ up_bytes, down_bytes }) => up_bytes + down_bytes > 0);

describe('the usage of a SIM', () => {
  it('has a point for each hour of the days, even without usage', async () => {
    const usage = await readUsage('hour', '2026-11-20', '2026-11-21');
    expect(usage.points).toHaveLength(48);
    expect(usage.points[0]).toEqual({ at: '2026-11-20T00:00:00.000Z', up_bytes: 0, down_bytes: 0 });
    expect(spoken(usage)).toEqual([
      { at: '2026-11-20T10:00:00.000Z', up_bytes: 3, down_bytes: 30 },
      { at: '2026-11-20T11:00:00.000Z', up_bytes: 4, down_bytes: 40 },
      { at: '2026-11-20T23:00:00.000Z', up_bytes: 8, down_bytes: 80 },
      { at: '2026-11-21T00:00:00.000Z', up_bytes: 16, down_bytes: 160 },
    ]);
    expect(usage.total_bytes).toBe(11 * 31);
  });

  it('by day ends at midnight UTC', async () => {
    const usage = await readUsage('day', '2026-11-19', '2026-11-21');
    expect(usage.points).toEqual([
      { at: '2026-11-19', up_bytes: 0, down_bytes: 0 },
      { at: '2026-11-20', up_bytes: 15, down_bytes: 150 },
      { at: '2026-11-21', up_bytes: 16, down_bytes: 160 },
    ]);
    expect(usage.total_bytes).toBe(11 * 31);
    expect(usage.provisional_from).toBe('2026-11-19T12:00:00.000Z');
  });

  it('by month spans years, and counts only the requested days', async () => {
    const usage = await readUsage('month', '2025-12-15', '2026-11-20');
    expect(usage.points).toHaveLength(12);
    expect(usage.points[0]?.at).toBe('2025-12');
    expect(spoken(usage)).toEqual([
      { at: '2026-10', up_bytes: 32, down_bytes: 320 },
      { at: '2026-11', up_bytes: 79, down_bytes: 790 },
    ]);
  });

  it('by network lists known networks by usage, and sums up to the total with unknown ones', async () => {
    const { by_network } = await readUsage('day', '2026-11-20', '2026-11-21');
    expect(by_network).toEqual([
      { country: 'DE', mcc: '262', mnc: '02', operator: 'Vodafone', radio: '4G', bytes: 187 },
      { country: null, mcc: '999', mnc: '77', operator: null, radio: '4G', bytes: 44 },
      { country: 'DE', mcc: '262', mnc: '02', operator: 'Vodafone', radio: '5G', bytes: 22 },
      { country: null, mcc: null, mnc: null, operator: null, radio: null, bytes: 88 },
    ]);
    const { total_bytes } = await readUsage('day', '2026-11-20', '2026-11-21');
    expect(by_network.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(total_bytes);
  });

  it('is zero at every point for a SIM without sessions', async () => {
    const usage = await readUsage('day', '2026-11-01', '2026-11-30', silent);
    expect(usage).toMatchObject({ by_network: [], total_bytes: 0 });
    expect(usage.points).toHaveLength(30);
    expect(spoken(usage)).toEqual([]);
  });

  it.each([
    ['hour', '2026-10-01', '2026-10-31', 31 * 24],
    ['day', '2025-10-18', '2026-11-21', 400],
    ['month', '2016-10-05', '2026-11-21', 122],
  ] as const)('may be asked for by %s from %s to %s', async (granularity, from, to, points) => {
    expect((await readUsage(granularity, from, to)).points).toHaveLength(points);
  });

  it.each([
    ['day', '2026-11-21', '2026-11-20'],
    ['hour', '2026-10-01', '2026-11-01'],
    ['day', '2025-10-17', '2026-11-21'],
    ['month', '2016-10-04', '2026-11-21'],
    ['day', '0000-01-01', '0000-01-02'],
    ['month', '1999-12-31', '2000-01-01'],
    ['day', '2199-12-31', '2200-01-01'],
  ] as const)('is refused by %s from %s to %s', async (granularity, from, to) => {
    await expect(readUsage(granularity, from, to)).rejects.toMatchObject({ code: 'CB-00-0400' });
  });

  it('rejects an end before its start as such, not as an invalid date', async () => {
    await expect(readUsage('day', '2026-11-21', '2026-11-20')).rejects.toMatchObject({
      issues: [{ path: 'to', key: 'endBeforeStart' }],
    });
    await expect(readUsage('day', '1999-12-31', '2000-01-01')).rejects.toMatchObject({
      issues: [{ path: 'from', key: 'invalidDate' }],
    });
    await expect(readUsage('hour', '2026-10-01', '2026-11-01')).rejects.toMatchObject({
      issues: [{ path: 'to', key: 'spanTooLong', values: { max: 31 } }],
    });
  });

  it('is not read by the hour where hours are no longer retained, but by the day', async () => {
    await expect(readUsage('hour', '2025-09-30', '2025-10-01')).rejects.toMatchObject({
      issues: [{ path: 'granularity', key: 'hoursNotRetained', values: { months: 13 } }],
    });
    expect((await readUsage('hour', '2025-10-01', '2025-10-01')).points).toHaveLength(24);
    expect((await readUsage('day', '2025-09-30', '2025-09-30')).points).toHaveLength(1);
  });

  it('has no networks for hours past their retention, unlike for their days', async () => {
    await database.pool.query(`delete from usage_hourly where sim_id = $1 and hour_at < '2026-11-20'`, [
      own.id,
    ]);
    expect(await readUsage('hour', '2026-11-01', '2026-11-01')).toMatchObject({
      by_network: [],
      total_bytes: 0,
    });
    const { by_network, total_bytes } = await readUsage('day', '2026-11-01', '2026-11-01');
    expect([total_bytes, by_network.map(({ bytes }) => bytes)]).toEqual([704, [704]]);
  });
});
