import { hourMs } from '@simcube/contract/time';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dataOf,
  dataState,
  dataStateOf,
  rateOf,
  restrictionsOf,
  type StoredData,
  stopOf,
} from './sim-data.rules.ts';

const at = new Date('2026-11-21T12:00:00Z');
const later = new Date('2026-11-30T16:00:00Z');
const open: StoredData = {
  dataState: dataState.open,
  rateKbps: null,
  cycleEndsAt: later,
  poolStoppedUntil: null,
  heldUntil: null,
  heldKbps: null,
};
const until = later.toISOString();

describe('the data of a SIM', () => {
  it.each<[string, Partial<StoredData>, ReturnType<typeof dataOf>]>([
    ['open', {}, { state: 'open', kbps: null, restrictions: [] }],
    [
      'stopped by its quota',
      { dataState: dataState.stopped },
      { state: 'stopped', kbps: null, restrictions: [{ by: 'quota', kbps: null, until }] },
    ],
    [
      'stopped by its quota without an end',
      { dataState: dataState.stopped, cycleEndsAt: null },
      { state: 'stopped', kbps: null, restrictions: [{ by: 'quota', kbps: null, until: null }] },
    ],
    [
      'stopped by its pool',
      { poolStoppedUntil: later },
      { state: 'stopped', kbps: null, restrictions: [{ by: 'pool', kbps: null, until }] },
    ],
    [
      'slowed by a rule',
      { heldUntil: later, heldKbps: 128 },
      { state: 'slowed', kbps: 128, restrictions: [{ by: 'rule', kbps: 128, until }] },
    ],
    [
      'slowed by its quota and stopped by a rule',
      { dataState: dataState.slowed, rateKbps: 256, heldUntil: later },
      {
        state: 'stopped',
        kbps: null,
        restrictions: [
          { by: 'quota', kbps: 256, until },
          { by: 'rule', kbps: null, until },
        ],
      },
    ],
  ])('is %s', (_, stored, expected) => {
    expect(dataOf({ ...open, ...stored }, at)).toEqual(expected);
  });

  it('is stopped or slowed by its quota, not both, and not slowed without a rate', () => {
    const stopped = { ...open, dataState: dataState.stopped, rateKbps: 128 };
    expect(restrictionsOf(stopped, at)).toEqual([{ by: 'quota', kbps: null, until: later }]);
    expect(restrictionsOf({ ...open, rateKbps: 128, heldUntil: at }, at)).toEqual([]);
    expect(restrictionsOf({ ...open, dataState: dataState.slowed }, at)).toEqual([]);
  });

  it('has a state for each stored number, and is open for others', () => {
    expect([0, 1, 2, 3].map(dataStateOf)).toEqual(['open', 'slowed', 'stopped', 'open']);
  });

  it('is slowed to the lowest rate', () => {
    const slowed = { ...open, dataState: dataState.slowed, rateKbps: 256, heldUntil: later };
    expect(dataOf({ ...slowed, heldKbps: 128 }, at)).toMatchObject({ state: 'slowed', kbps: 128 });
    expect(dataOf({ ...slowed, heldKbps: 512 }, at)).toMatchObject({ state: 'slowed', kbps: 256 });
  });

  it('is restricted by nothing that is over, given as dates or in milliseconds', () => {
    const instant = fc.option(fc.integer({ min: -2, max: 2 }).map((hours) => at.getTime() + hours * hourMs));
    const stored = fc.record({
      dataState: fc.constantFrom(...Object.values(dataState)),
      rateKbps: fc.constantFrom(null, 128, 256),
      cycleEndsAt: instant,
      poolStoppedUntil: instant,
      heldUntil: instant,
      heldKbps: fc.constantFrom(null, 128, 256),
    });
    fc.assert(
      fc.property(stored, (sim) => {
        const found = restrictionsOf(sim, at);
        for (const restriction of found) {
          expect(restriction.until === null || restriction.until.valueOf() > at.getTime()).toBe(true);
        }
        const dates = {
          ...sim,
          cycleEndsAt: sim.cycleEndsAt === null ? null : new Date(sim.cycleEndsAt),
          poolStoppedUntil: sim.poolStoppedUntil === null ? null : new Date(sim.poolStoppedUntil),
          heldUntil: sim.heldUntil === null ? null : new Date(sim.heldUntil),
        };
        const data = dataOf(sim, at);
        expect(dataOf(dates, at)).toEqual(data);
        expect(data.state === 'stopped').toBe(stopOf(sim, at) !== undefined);
        if (data.state !== 'stopped') expect(data.kbps).toBe(rateOf(sim, at));
        expect(data.restrictions).toHaveLength(found.length);
      }),
    );
  });
});
