import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { dashboardDays, setDayOffset } from '../platform/clock/business-day.ts';
import { connect, type Database } from '../platform/db/index.ts';
import { UnusableSettings } from '../platform/env/index.ts';
import { testDatabase } from '../testing/database.ts';
import { adoptDayOffset } from './day-offset.ts';

let database: Database;

beforeAll(async () => {
  database = await testDatabase();
});
afterEach(async () => {
  await database.pool.query(`delete from installation where key = 'day-offset'`);
  setDayOffset(8);
});
afterAll(() => database.close());

const adopted = async (dayOffset?: number): Promise<string> => {
  await adoptDayOffset(database.pool, { dayOffset }, 'server');
  return dashboardDays.zone;
};

describe('business days of an installation', () => {
  it('end at UTC+8 if it was created without the setting', async () => {
    expect(await adopted()).toBe('UTC+8');
    expect(await adopted(8)).toBe('UTC+8');
  });

  it('end at the offset of its creation, also for processes without the setting', async () => {
    expect([await adopted(-5), await adopted(), await adopted(-5)]).toEqual(['UTC-5', 'UTC-5', 'UTC-5']);
    expect(dashboardDays.startOf('2026-11-01').toISOString()).toBe('2026-11-01T05:00:00.000Z');
  });

  it('can’t be moved: another offset is rejected', async () => {
    await adopted(1);
    const refused = adopted(2);
    await expect(refused).rejects.toThrow(UnusableSettings);
    await expect(refused).rejects.toThrow(/end at UTC\+1.*SIMCUBE_DAY_OFFSET can't change this to UTC\+2/);
    expect(dashboardDays.zone).toBe('UTC+1');
  });

  it('are not fixed by a command', async () => {
    await adoptDayOffset(database.pool, { dayOffset: undefined }, 'command');
    expect(dashboardDays.zone).toBe('UTC+8');
    expect(await adopted(-5)).toBe('UTC-5');
    const other = adoptDayOffset(database.pool, { dayOffset: 3 }, 'command');
    await expect(other).rejects.toThrow(UnusableSettings);
  });

  it('have one offset when two processes create it concurrently', async () => {
    const [first, second] = await Promise.allSettled([
      adoptDayOffset(database.pool, { dayOffset: 3 }, 'server'),
      adoptDayOffset(database.pool, { dayOffset: 4 }, 'server'),
    ]);
    expect([first?.status, second?.status].sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('are readable on a read-only connection', async () => {
    await adopted(0);
    const { pool, close } = connect({ url: database.url, max: 1, name: 'reader', onError: () => undefined });
    await pool.query('set default_transaction_read_only = on');
    setDayOffset(8);
    await adoptDayOffset(pool, { dayOffset: undefined }, 'server');
    expect(dashboardDays.zone).toBe('UTC');
    await close();
  });
});
