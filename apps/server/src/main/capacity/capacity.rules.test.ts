import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tableCosts } from './capacity.costs.ts';
import { bytesOfTables, type CapacityInput, capacityOf } from './capacity.rules.ts';

const input = (more: Partial<CapacityInput> = {}): CapacityInput => ({
  sims: 1_000_000,
  interimSeconds: 3_600,
  sessionsPerDay: 1,
  years: 3,
  nodeBytes: 1e13,
  nodeCores: 16,
  ...more,
});
const growthOf = (table: string, more: Partial<CapacityInput> = {}) => {
  const found = capacityOf(input(more)).tables.find((one) => one.table === table);
  if (!found) throw new Error(`${table} has no cost`);
  return found;
};
const bytesEach = (table: string): number =>
  tableCosts.find((cost) => cost.table === table)?.bytes ?? Number.NaN;

describe('the records of a day', () => {
  it.each([
    ['every hour', { interimSeconds: 3_600, sessionsPerDay: 1 }, { start: 1, interim: 23, stop: 1 }],
    ['every five minutes', { interimSeconds: 300, sessionsPerDay: 1 }, { start: 1, interim: 287, stop: 1 }],
    [
      'sessions of eight hours',
      { interimSeconds: 3_600, sessionsPerDay: 3 },
      { start: 3, interim: 21, stop: 3 },
    ],
    [
      'an interval that does not fit',
      { interimSeconds: 7_000, sessionsPerDay: 1 },
      { start: 1, interim: 12, stop: 1 },
    ],
    [
      'sessions shorter than it',
      { interimSeconds: 3_600, sessionsPerDay: 48 },
      { start: 48, interim: 0, stop: 48 },
    ],
    [
      'a session of two days',
      { interimSeconds: 86_400, sessionsPerDay: 0.5 },
      { start: 0.5, interim: 0.5, stop: 0.5 },
    ],
  ])('are Start, interim updates and Stop: %s', (_, more, records) => {
    expect(capacityOf(input(more)).recordsPerDayOfSim).toEqual(records);
  });

  it('arrive at twice the mean rate in the busiest hour', () => {
    const { recordsPerSecond } = capacityOf(input());
    expect(recordsPerSecond.mean).toBeCloseTo((1e6 * 25) / 86_400, 6);
    expect(recordsPerSecond.busiest).toBeCloseTo(2 * recordsPerSecond.mean, 6);
  });
});

describe('tables', () => {
  it('grow by a day’s CDRs for interims and Stops, and one row per hour and per day', () => {
    expect(growthOf('cdrs').bytesPerDay).toBe(1e6 * 24 * bytesEach('cdrs'));
    expect(growthOf('usage_hourly').bytesPerDay).toBe(1e6 * 24 * bytesEach('usage_hourly'));
    expect(growthOf('usage_hourly', { interimSeconds: 300 }).bytesPerDay).toBe(
      1e6 * 24 * bytesEach('usage_hourly'),
    );
    expect(growthOf('usage_hourly', { interimSeconds: 7_200 }).bytesPerDay).toBe(
      1e6 * 12 * bytesEach('usage_hourly'),
    );
    expect(growthOf('usage_daily', { interimSeconds: 300 }).bytesPerDay).toBe(1e6 * bytesEach('usage_daily'));
  });

  it('are largest just before the oldest month is dropped', () => {
    const { bytes, bytesPerDay, months } = growthOf('cdrs');
    expect(bytes / bytesPerDay / 30.4375).toBeCloseTo(14, 9);
    expect(months).toBe(13);
  });

  it('without retention grow for the given years; those keyed by SIM do not grow', () => {
    const { bytes, bytesPerDay, months } = growthOf('cdr_sessions', { years: 2 });
    expect([bytes / bytesPerDay, months]).toEqual([730.5, undefined]);
    expect(growthOf('sims')).toMatchObject({ bytesPerDay: 0, bytes: 1e6 * bytesEach('sims') });
  });

  it('have a size proportional to their rows', () => {
    const stored = { SIM: 2, CDR: 3, hour: 5, day: 7, session: 11, 'session with CDRs': 13 };
    for (const { table, per, bytes } of bytesOfTables(stored))
      expect(bytes, table).toBe(stored[per] * bytesEach(table));
  });
});

describe('the required capacity', () => {
  it('allows 50% CPU load in the busiest hour', () => {
    const { cores } = capacityOf(input());
    expect(cores.server).toBeCloseTo(((47 + 23 * 30 + 32) * 1e6 * 4) / 1e6 / 86_400, 9);
    expect(cores.database).toBeCloseTo(((46 + 23 * 24 + 44 + 240) * 1e6 * 4) / 1e6 / 86_400, 9);
  });

  it('is the larger node count of disk at 70% and CPU, at least one', () => {
    expect(capacityOf(input({ sims: 1 })).nodes).toEqual({ count: 1, byDisk: 1, byCores: 1 });
    const { bytes, nodes } = capacityOf(input());
    expect(nodes).toEqual({ count: nodes.byDisk, byDisk: Math.ceil(bytes / 7e12), byCores: 1 });
    const many = capacityOf(input({ nodeBytes: 1e18, nodeCores: 1, sims: 100_000_000 }));
    expect(many.nodes).toEqual({
      count: Math.ceil(many.cores.database),
      byDisk: 1,
      byCores: Math.ceil(many.cores.database),
    });
  });

  it('never decreases with more SIMs or shorter intervals', () => {
    const anyInput = fc.record({
      sims: fc.integer({ min: 1, max: 1e8 }),
      interimSeconds: fc.integer({ min: 10, max: 86_400 }),
      sessionsPerDay: fc.integer({ min: 1, max: 100 }),
    });
    fc.assert(
      fc.property(anyInput, fc.integer({ min: 1, max: 10 }), (overrides, factor) => {
        const less = capacityOf(input(overrides));
        const more = capacityOf(input({ ...overrides, sims: overrides.sims * factor }));
        const moreOften = capacityOf(
          input({
            ...overrides,
            interimSeconds: Math.max(10, Math.floor(overrides.interimSeconds / factor)),
          }),
        );
        for (const other of [more, moreOften]) {
          expect(other.bytes).toBeGreaterThanOrEqual(less.bytes);
          expect(other.nodes.count).toBeGreaterThanOrEqual(less.nodes.count);
          expect(other.cores.database).toBeGreaterThanOrEqual(less.cores.database);
        }
        expect(more.bytes / less.bytes).toBeCloseTo(factor, 6);
      }),
    );
  });
});
