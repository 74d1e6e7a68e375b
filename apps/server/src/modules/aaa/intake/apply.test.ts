import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyUpdates, hour, makeUpdate, simState, start } from '../../../testing/intake-states.ts';
import { applyUpdate } from './apply.ts';
import { type Changes, ConflictingSimStates } from './changes.ts';
import { StaleSim } from './rate.ts';

const hourOf = (at: number) => Math.floor(at / hour);

const bundle = {
  resetCycle: 'month',
  policy: 'stop',
  slowKbps: null,
  stopAfterBytes: null,
  rejectsOutsideCoverage: false,
} as const;

/** What a batch adds to the rollups of SIMs. */
const hoursOf = ({ hours }: Changes) =>
  Array.from(hours.sortedPositions(), (place) => {
    const of = (column: ArrayLike<number>) => column[place] ?? 0;
    return { hour: of(hours.time), plmn: of(hours.plmn), up: of(hours.up), down: of(hours.down) };
  });

const sum = (rows: Iterable<{ up: number; down: number }>): number => {
  let total = 0;
  for (const { up, down } of rows) total += up + down;
  return total;
};

describe('the updates of a SIM', () => {
  const update = fc.record({
    status: fc.constantFrom('start' as const, 'interim' as const, 'interim' as const, 'stop' as const),
    sessionKey: fc.integer({ min: 1, max: 3 }),
    at: fc.integer({ min: 0, max: 6 * 60 }).map((minutes) => start + minutes * 60_000),
    up: fc.integer({ min: 0, max: 1_000_000 }),
    down: fc.integer({ min: 0, max: 2 ** 40 }),
    plmn: fc.constantFrom(262_002, 214_007),
  });

  it('count each session’s highest counters once, in any order and batches, repeated or not', () => {
    fc.assert(
      fc.property(
        fc.array(update, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 7 }),
        (facts, cut) => {
          // A start after a stop restarts the session; here every id is used once, so starts get the earliest time.
          const updates = facts.map((fact) =>
            makeUpdate(fact.status === 'start' ? { ...fact, at: start - 1 } : fact),
          );
          const sim = simState();
          let [cdrs, hours, bytes] = [0, 0, 0];
          const all = [...updates, ...updates];
          for (let from = 0; from < all.length; from += cut) {
            const changes = applyUpdates(sim, all.slice(from, from + cut));
            cdrs += sum(changes.cdrs);
            hours += sum(hoursOf(changes));
            for (const change of changes.sims.values()) bytes += change.bytes;
          }
          const expected = [1, 2, 3].reduce((total, key) => {
            const own = updates.filter(({ sessionKey }) => sessionKey === key);
            const most = (pick: 'up' | 'down') => Math.max(0, ...own.map((one) => one[pick] ?? 0));
            return total + most('up') + most('down');
          }, 0);
          hours += sim.openHour ? sum([sim.openHour]) : 0;
          expect([cdrs, hours, bytes, sim.used]).toEqual([expected, expected, expected, expected]);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('change nothing when they are repeated', () => {
    const sim = simState();
    const updates = [
      makeUpdate({ status: 'start' }),
      makeUpdate({ at: start + 60_000, up: 5, down: 5 }),
      makeUpdate({ status: 'stop', at: start + 120_000, up: 9, down: 9 }),
    ];
    applyUpdates(sim, updates);
    const changes = applyUpdates(sim, updates);
    expect([changes.sims.size, changes.sessions.size, changes.cdrs.length]).toEqual([0, 0, 0]);
    expect(changes.duplicates).toBe(3);
  });

  it('report the end of a session to the organisation where it began, after a transfer', () => {
    const sim = simState({ orgId: 7 });
    const began = applyUpdates(sim, [makeUpdate({ status: 'start' })]);
    sim.orgId = 2;
    const ended = applyUpdates(sim, [makeUpdate({ status: 'stop', at: start + 60_000, up: 9, down: 9 })]);
    const recorded = [...began.events, ...ended.events].map(({ kind, orgId }) => [kind, orgId]);
    expect(recorded).toEqual([
      ['session-started', 7],
      ['session-stopped', 7],
    ]);
    expect(ended.cdrs.map(({ orgId }) => orgId)).toEqual([2]);
  });

  it('each change one session object, also when many sessions end in one batch and one ends twice', () => {
    const ends = [1, 2, 3, 4, 5, 6, 7].map((key) =>
      makeUpdate({ sessionKey: key, status: 'stop', at: start + key, up: key }),
    );
    const changes = applyUpdates(simState(), [...ends, ...ends]);
    const written = [...changes.sessions.values()].map(({ session, isNew }) => [session.key, isNew]);
    expect(written).toEqual([1, 2, 3, 4, 5, 6, 7].map((key) => [key, true]));
  });

  it('end no session before it began, nor are they seen in the future, when the clock of a gateway was ahead', () => {
    const sim = simState();
    const ahead = start + 240_000;
    const { events } = applyUpdates(sim, [
      makeUpdate({ status: 'start', at: ahead, seenAt: start }),
      makeUpdate({ status: 'stop', at: start + 30_000 }),
    ]);
    expect(events.map(({ at }) => at)).toEqual([ahead, ahead]);
    expect(sim.sessions.get(11)).toMatchObject({ startedAt: ahead, stoppedAt: ahead });
    expect(sim).toMatchObject({ lastSeenAt: start + 30_000, lastSessionAt: start });
  });

  it('report the start of a session whose Stop arrives first', () => {
    const { events } = applyUpdates(simState(), [makeUpdate({ status: 'stop', sessionSeconds: 60, up: 5 })]);
    expect(events).toMatchObject([
      { kind: 'session-started', at: start - 60_000, facts: { session: 'S' } },
      { kind: 'session-stopped', at: start, facts: { session: 'S' } },
    ]);
  });

  it('fail a batch with two state objects of one SIM', () => {
    const changes = applyUpdates(simState(), [makeUpdate({ up: 10 })]);
    const again = () =>
      applyUpdate({
        sim: simState(),
        update: makeUpdate({ up: 20 }),
        changes,
        batch: 1,
        rivals: new Map(),
        filed: new Map(),
        closed: new Map(),
        watches: new Map(),
        longCodes: new Set(),
      });
    expect(again).toThrow(ConflictingSimStates);
  });

  it('assign a record entirely to the hour in which it ended', () => {
    const sim = simState();
    const changes = applyUpdates(sim, [
      makeUpdate({ status: 'start', at: start }),
      makeUpdate({ at: start + 5 * hour + 1, up: 100 }),
    ]);
    expect(sim.openHour).toMatchObject({ hour: hourOf(start) + 5, up: 100, records: 1 });
    expect(changes.cdrs).toMatchObject([{ startedAt: start, endedAt: start + 5 * hour + 1 }]);
  });
});

describe('the open hour', () => {
  it('collects its usage, and is written to the rollups when the next hour begins, or network or radio type change', () => {
    const sim = simState();
    const minutes = [0, 10, 20].map((minute, n) =>
      makeUpdate({ at: start + minute * 60_000, up: 10 * (n + 1) }),
    );
    expect(hoursOf(applyUpdates(sim, minutes))).toEqual([]);
    expect(sim.openHour).toMatchObject({ hour: hourOf(start), plmn: 262_002, radio: 3, up: 30, records: 3 });
    const abroad = applyUpdates(sim, [makeUpdate({ at: start + hour / 2, up: 35, plmn: 214_007 })]);
    expect(hoursOf(abroad)).toMatchObject([{ hour: hourOf(start), plmn: 262_002, up: 30 }]);
    const next = applyUpdates(sim, [makeUpdate({ at: start + hour, up: 40, plmn: 214_007 })]);
    expect(hoursOf(next)).toMatchObject([{ hour: hourOf(start), plmn: 214_007, up: 5 }]);
    expect(sim.openHour).toMatchObject({ hour: hourOf(start) + 1, up: 5, records: 1 });
  });

  it('is not closed by late records, nor moved by records without usage', () => {
    const sim = simState({ cycleStartedAt: start + hour / 2 });
    applyUpdates(sim, [makeUpdate({ at: start + hour + 1, up: 10 })]);
    const late = applyUpdates(sim, [makeUpdate({ sessionKey: 12, at: start + hour / 2 + 1, up: 7 })]);
    expect(hoursOf(late)).toMatchObject([{ hour: hourOf(start), up: 7 }]);
    const before = applyUpdates({ ...sim, used: 50 }, [makeUpdate({ sessionKey: 13, at: start + 1, up: 3 })]);
    expect(hoursOf(before)).toMatchObject([{ hour: hourOf(start), up: 3 }]);
    const full = applyUpdates({ ...sim, used: Number.MAX_SAFE_INTEGER - 1 }, [
      makeUpdate({ sessionKey: 14, at: start + hour + 2, up: 2 }),
    ]);
    expect(hoursOf(full)).toMatchObject([{ hour: hourOf(start) + 1, up: 2 }]);
    expect(sim.openHour).toMatchObject({ hour: hourOf(start) + 1, up: 10, records: 1 });
  });
});

describe('the cycle', () => {
  it('changes with the first record after its end, and the closed one keeps its usage', () => {
    const sim = simState({ used: 500, limit: 600, threshold: 600, cycleEndsAt: start + hour, dataState: 0 });
    const changes = applyUpdates(sim, [
      makeUpdate({ at: start, up: 50 }),
      makeUpdate({ at: start + 2 * hour, up: 80 }),
    ]);
    expect(changes.cycles).toMatchObject([{ used: 550, limit: 600, endsAt: start + hour }]);
    expect(sim.used).toBe(30);
    expect(sim.cycleEndsAt).toBe(Date.UTC(2026, 10, 30, 16));
  });

  it('opens data that was slowed or stopped when it ends', () => {
    const sim = simState({
      used: 700,
      limit: 600,
      threshold: null,
      overLimit: true,
      dataState: 1,
      rateKbps: 128,
      cycleEndsAt: start,
    });
    const changes = applyUpdates(sim, [makeUpdate({ at: start, up: 1 })]);
    expect(changes.reopened).toMatchObject([{ simId: 1, dataStateBefore: 1 }]);
    expect(sim).toMatchObject({ dataState: 0, overLimit: false, rateKbps: null, threshold: 600 });
  });

  it('contains a late record of its time', () => {
    const sim = simState({ used: 10 });
    const changes = applyUpdates(sim, [makeUpdate({ at: Date.UTC(2026, 9, 15), up: 7 })]);
    expect(sim.used).toBe(10);
    expect(changes.lateCycles).toMatchObject([{ used: 7, endsAt: Date.UTC(2026, 9, 31, 16) }]);
  });

  it('contains a record from before the activation, unless a closed cycle contains it', () => {
    const activatedAt = Date.UTC(2026, 10, 10);
    const activated = {
      bundle,
      activatedAt,
      cycleStartedAt: activatedAt,
      used: 10,
      limit: 900,
      extra: 100,
    };
    const before = makeUpdate({ at: activatedAt - hour, up: 7 });
    const first = simState(activated);
    expect(applyUpdates(first, [before]).lateCycles).toEqual([]);
    expect(first.used).toBe(17);
    const closed = { startedAt: Date.UTC(2026, 9, 31, 16), endsAt: activatedAt };
    const sim = simState(activated);
    const changes = applyUpdates(sim, [before], 1, { closed: new Map([[1, [closed]]]) });
    expect(changes.lateCycles).toEqual([{ simId: 1, ...closed, used: 7, limit: 800 }]);
    expect(sim.used).toBe(10);
  });

  it('contains its late records when it has just ended', () => {
    const closed = { startedAt: start - 24 * hour, endsAt: start };
    const sim = simState({ used: 5, cycleStartedAt: closed.startedAt, cycleEndsAt: closed.endsAt });
    const late = makeUpdate({ sessionKey: 12, at: start - 1, up: 7 });
    const changes = applyUpdates(sim, [makeUpdate({ at: Date.UTC(2026, 11, 2), up: 1 }), late]);
    expect(changes.cycles).toMatchObject([{ ...closed, used: 5 }]);
    expect(changes.lateCycles).toMatchObject([{ ...closed, used: 7 }]);
    expect(sim.used).toBe(1);
  });

  it('and the threshold are only decided on a state that was just read', () => {
    expect(() => applyUpdates(simState({ cycleEndsAt: start }), [makeUpdate({ up: 1 })], 2)).toThrow(
      StaleSim,
    );
    expect(() => applyUpdates(simState({ limit: 5, threshold: 5 }), [makeUpdate({ up: 5 })], 2)).toThrow(
      StaleSim,
    );
  });
});

describe('the threshold', () => {
  it('evaluates the rules once, when it is passed', () => {
    const sim = simState({ limit: 100, threshold: 100, bundle, activatedAt: start });
    const changes = applyUpdates(sim, [
      makeUpdate({ at: start, up: 99 }),
      makeUpdate({ at: start + 1000, up: 120 }),
      makeUpdate({ at: start + 2000, up: 130 }),
    ]);
    expect(changes.crossings).toMatchObject([
      { usedBytes: 120, thresholdBytes: 100, overLimit: true, dataState: 2 },
    ]);
    expect(changes.events.map(({ kind }) => kind)).toContain('quota-reached');
    expect(sim).toMatchObject({ threshold: null, dataState: 2 });
  });

  it('of “billing then stop after” is the quota, then the amount over it', () => {
    const policy = 'billing then stop after';
    const sim = simState({
      limit: 100,
      threshold: 100,
      bundle: { ...bundle, policy, stopAfterBytes: 50 },
      activatedAt: start,
    });
    const changes = applyUpdates(sim, [
      makeUpdate({ at: start, up: 149 }),
      makeUpdate({ at: start + 1000, up: 150 }),
      makeUpdate({ at: start + 2000, up: 160 }),
    ]);
    expect(changes.crossings).toMatchObject([
      { usedBytes: 149, thresholdBytes: 100, overLimit: true, dataState: 0 },
      { usedBytes: 150, thresholdBytes: 150, overLimit: true, dataState: 2 },
    ]);
    const kinds = changes.events.map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['quota-reached', 'data-stopped']));
    expect(sim).toMatchObject({ threshold: null, dataState: 2 });
  });

  it('of the next cycle is reduced by what supplementary orders gave in this one', () => {
    const cycleEndsAt = start + hour;
    const sim = simState({ limit: 150, extra: 50, threshold: 150, cycleEndsAt, bundle, activatedAt: start });
    applyUpdates(sim, [makeUpdate({ at: start, up: 120 }), makeUpdate({ at: start + 2 * hour, up: 121 })]);
    expect(sim).toMatchObject({ used: 1, limit: 130, extra: 30, threshold: 130 });
  });

  it('below the limit evaluates them and leaves the limit as the next one', () => {
    const sim = simState({ limit: 100, threshold: 80, bundle, activatedAt: start });
    const changes = applyUpdates(sim, [makeUpdate({ up: 85 })]);
    expect(changes.crossings).toMatchObject([{ thresholdBytes: 80, overLimit: false, dataState: 0 }]);
    expect(sim.threshold).toBe(100);
  });
});

describe('a SIM whose bundle rejects some countries', () => {
  const bundle = {
    resetCycle: 'month',
    policy: 'stop',
    slowKbps: null,
    stopAfterBytes: null,
    rejectsOutsideCoverage: true,
  } as const;
  const abroad = (changes: Changes) => [...changes.networksEntered.values()].map(({ plmn }) => plmn);

  it('is reported when it starts a session and when it moves, and at no other time', () => {
    const sim = simState({ bundle, activatedAt: start });
    expect(abroad(applyUpdates(sim, [makeUpdate({ status: 'start' })]))).toEqual([262_002]);
    expect(abroad(applyUpdates(sim, [makeUpdate({ at: start + 1000, up: 5 })]))).toEqual([]);
    expect(abroad(applyUpdates(sim, [makeUpdate({ at: start + 2000, up: 6, plmn: 310_410 })]))).toEqual([
      310_410,
    ]);
    expect(abroad(applyUpdates(sim, [makeUpdate({ at: start + 3000, up: 7, plmn: null })]))).toEqual([]);
    expect(
      abroad(applyUpdates(sim, [makeUpdate({ at: start + 4000, up: 8, status: 'stop', plmn: 310_410 })])),
    ).toEqual([]);
  });

  it('is not reported with any other bundle', () => {
    const sim = simState({ bundle: { ...bundle, rejectsOutsideCoverage: false }, activatedAt: start });
    expect(
      abroad(
        applyUpdates(sim, [makeUpdate({ status: 'start' }), makeUpdate({ at: start + 1, plmn: 310_410 })]),
      ),
    ).toEqual([]);
  });
});

describe('a device', () => {
  it('has changed when another one was known before', () => {
    const sim = simState();
    const first = applyUpdates(sim, [makeUpdate({ imei: '35693803564380' })]);
    expect([...first.imeis]).toEqual([[1, { imei: '35693803564380', changedAt: null }]]);
    const second = applyUpdates(sim, [makeUpdate({ at: start + 1000, up: 1, imei: '49015420323751' })]);
    expect([...second.imeis]).toEqual([[1, { imei: '49015420323751', changedAt: start + 1000 }]]);
  });
});
