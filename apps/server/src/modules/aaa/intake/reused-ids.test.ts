import { describe, expect, it } from 'vitest';
import { applyUpdates, makeUpdate, simState, start } from '../../../testing/intake-states.ts';

describe('Starts under a known session id', () => {
  it('restart an open session at a later Start, and count its volume from zero', () => {
    const sim = simState();
    const minute = (n: number) => start + n * 60_000;
    applyUpdates(sim, [makeUpdate({ status: 'start' }), makeUpdate({ at: minute(5), up: 900, down: 90 })]);
    const again = makeUpdate({ status: 'start', at: minute(10) });
    const { events } = applyUpdates(sim, [again]);
    expect(events).toMatchObject([
      { kind: 'session-stopped', at: minute(10), facts: { session: 'S', cause: 'NAS-Reboot', bytes: 990 } },
      { kind: 'session-started', at: minute(10), facts: { session: 'S' } },
    ]);
    expect(sim.sessions.get(11)).toMatchObject({ startedAt: minute(10), stoppedAt: null, up: 0, down: 0 });
    expect(sim.connection).toBe(1);
    const next = makeUpdate({ at: minute(15), up: 100, down: 10 });
    const late = makeUpdate({ at: minute(6), up: 950, down: 95 });
    const changes = applyUpdates(sim, [next, again, late]);
    expect(changes.cdrs).toMatchObject([{ up: 100, down: 10 }]);
    expect([changes.duplicates, changes.stale]).toEqual([1, 1]);
    expect(sim.used).toBe(1100);
  });

  it('set it online again from a Start that reuses the id of an ended session', () => {
    const sim = simState();
    applyUpdates(sim, [
      makeUpdate({ status: 'start' }),
      makeUpdate({ status: 'stop', at: start + 60_000, up: 9 }),
    ]);
    expect(sim.connection).toBe(3);
    const changes = applyUpdates(sim, [makeUpdate({ status: 'start', at: start + 120_000, ip: '10.0.0.7' })]);
    expect([sim.connection, sim.ip, changes.duplicates]).toEqual([1, '10.0.0.7', 0]);
  });

  it('begin again from a Start without a time of its own only once no repetition of the first one is to be expected', () => {
    const sim = simState();
    const stoppedAt = start + 60_000;
    const session = () => sim.sessions.get(11);
    const begin = (at: number) =>
      applyUpdates(sim, [makeUpdate({ status: 'start', hasEventTime: false, at })]);
    applyUpdates(sim, [
      makeUpdate({ status: 'start' }),
      makeUpdate({ status: 'stop', at: stoppedAt, up: 900 }),
    ]);
    expect(begin(stoppedAt + 59_000).duplicates).toBe(1);
    expect(session()).toMatchObject({ stoppedAt });
    expect(begin(stoppedAt + 61_000).duplicates).toBe(0);
    expect(session()).toMatchObject({ startedAt: stoppedAt + 61_000, stoppedAt: null, up: 0 });
    const used = sim.used;
    applyUpdates(sim, [makeUpdate({ at: stoppedAt + 120_000, up: 40, hasEventTime: false })]);
    expect([sim.used - used, sim.connection]).toEqual([40, 1]);
  });

  it.each([
    ['by receipt alone, soon after its last report', { hasEventTime: false, at: start + 359_000 }],
    ['with the time it has lasted', { sessionSeconds: 600 }],
    ['with its volume', { up: 950, down: 90 }],
  ])('go on with an open session at a Start that is later %s', (_, facts) => {
    const sim = simState();
    const later = { at: start + 600_000 };
    applyUpdates(sim, [
      makeUpdate({ status: 'start' }),
      makeUpdate({ at: start + 300_000, up: 900, down: 90 }),
    ]);
    const { events } = applyUpdates(sim, [makeUpdate({ status: 'start', ...later, ...facts })]);
    expect(events).toEqual([]);
    applyUpdates(sim, [makeUpdate({ at: start + 900_000, up: 1000, down: 100 })]);
    expect(sim.sessions.get(11)).toMatchObject({ startedAt: start, stoppedAt: null });
    expect(sim.used).toBe(1100);
  });

  it('restart an open session without a time of their own, once none of its reports is repeated', () => {
    const sim = simState();
    const at = start + 3_600_000;
    const received = { hasEventTime: false };
    applyUpdates(sim, [
      makeUpdate({ status: 'start', ...received }),
      makeUpdate({ at: start + 300_000, up: 900, ...received }),
      makeUpdate({ status: 'start', at, ...received }),
      makeUpdate({ at: at + 10_000, sessionSeconds: 10, up: 40, ...received }),
      makeUpdate({ status: 'stop', at: at + 20_000, sessionSeconds: 20, up: 60, ...received }),
    ]);
    expect(sim.used).toBe(960);
    expect(sim.sessions.get(11)).toMatchObject({ startedAt: at, up: 60 });
  });

  it('go on with an open session that began with an Interim, when its Start arrives late and without a time', () => {
    const sim = simState();
    applyUpdates(sim, [makeUpdate({ at: start + 300_000, sessionSeconds: 300, up: 900, down: 90 })]);
    const late = makeUpdate({ status: 'start', at: start + 400_000, hasEventTime: false });
    const { events, duplicates } = applyUpdates(sim, [late]);
    expect([events, duplicates]).toEqual([[], 1]);
    applyUpdates(sim, [makeUpdate({ at: start + 600_000, sessionSeconds: 600, up: 1000, down: 100 })]);
    expect(sim.sessions.get(11)).toMatchObject({ startedAt: start, stoppedAt: null });
    expect(sim.used).toBe(1100);
  });

  it('continue a session whose Start is repeated with a later time', () => {
    const sim = simState();
    applyUpdates(sim, [makeUpdate({ status: 'start' })]);
    const { events } = applyUpdates(sim, [makeUpdate({ status: 'start', at: start + 5000 })]);
    expect(events).toEqual([]);
    applyUpdates(sim, [makeUpdate({ at: start + 300_000, up: 900, down: 90 })]);
    expect(sim.sessions.get(11)).toMatchObject({ startedAt: start, stoppedAt: null });
    expect(sim.used).toBe(990);
  });

  /** A session of 1,000 octets that was closed here. */
  const closedHere = (cause: string) => {
    const sim = simState();
    applyUpdates(sim, [
      makeUpdate({ status: 'start' }),
      makeUpdate({ at: start + 300_000, up: 900, down: 100 }),
    ]);
    Object.assign(sim.sessions.get(11) ?? {}, { stoppedAt: start + 300_000, cause });
    return sim;
  };
  const presumed = ['Silence', 'Lost-Service', 'Superseded', 'NAS-Reboot'];
  const day = { status: 'start' as const, at: start + 86_400_000 };

  it.each(presumed)(
    'go on with a session that was presumed over (%s) if their figures continue it',
    (cause) => {
      const continued = [
        { sessionSeconds: 86_400, up: 1000, down: 200 },
        { up: 1000, down: 200 },
        { sessionSeconds: 86_390, hasEventTime: false, up: 1000, down: 200 },
      ];
      for (const figures of continued) {
        const sim = closedHere(cause);
        const { events } = applyUpdates(sim, [makeUpdate({ ...day, ...figures })]);
        expect([events, sim.used, sim.connection]).toEqual([[], 1200, 1]);
        expect(sim.sessions.get(11)).toMatchObject({ startedAt: start, stoppedAt: null, updatedAt: day.at });
      }
      const idle = closedHere(cause);
      applyUpdates(idle, [makeUpdate({ ...day, sessionSeconds: 86_400 })]);
      expect(idle.sessions.get(11)).toMatchObject({
        startedAt: start,
        stoppedAt: null,
        updatedAt: day.at,
        up: 900,
      });
    },
  );

  it.each(presumed)(
    'begin another session if their figures began after one that was presumed over (%s)',
    (cause) => {
      const restarted = [{}, { up: 900, down: 90 }, { sessionSeconds: 60, up: 2000, down: 200 }];
      for (const figures of restarted) {
        const sim = closedHere(cause);
        applyUpdates(sim, [makeUpdate({ ...day, ...figures })]);
        const { up = 0, down = 0 } = figures as { up?: number; down?: number };
        expect(sim.sessions.get(11)).toMatchObject({ startedAt: day.at, stoppedAt: null, up, down });
        expect(sim.used).toBe(1000 + up + down);
      }
    },
  );

  it('begin another session after a reported end, whatever their figures', () => {
    const sim = closedHere('User-Request');
    applyUpdates(sim, [makeUpdate({ ...day, sessionSeconds: 86_400, up: 1000, down: 200 })]);
    expect(sim.sessions.get(11)).toMatchObject({ startedAt: day.at, up: 1000 });
  });
});

describe('Reports on a session that a person has reset', () => {
  const resetAt = start + 300_000;
  const reset = () => {
    const sim = simState();
    applyUpdates(sim, [makeUpdate({ status: 'start' }), makeUpdate({ at: resetAt, up: 900, down: 100 })]);
    Object.assign(sim.sessions.get(11) ?? {}, { stoppedAt: resetAt, cause: 'Admin-Reset' });
    sim.connection = 3;
    return sim;
  };

  it.each([
    ['an Interim', { at: resetAt + 11_000 }],
    ['an Interim without a time of its own', { at: resetAt + 71_000, hasEventTime: false }],
    ['a Start', { status: 'start' as const, at: resetAt + 11_000 }],
  ])('reopen it if it goes on: %s', (_, facts) => {
    const sim = reset();
    const { events } = applyUpdates(sim, [makeUpdate({ up: 1000, down: 200, ...facts })]);
    expect(sim.sessions.get(11)).toMatchObject({ startedAt: start, stoppedAt: null, cause: null });
    expect([events, sim.used, sim.connection]).toEqual([[], 1200, 1]);
  });

  it.each([
    ['is being ended', { at: resetAt + 9_000, up: 1000, down: 200 }, 1200],
    ['has ended', { status: 'stop' as const, at: resetAt + 60_000, up: 1000, down: 200 }, 1200],
    ['was idle', { at: resetAt + 60_000, up: 900, down: 100 }, 1000],
    ['may be from before', { at: resetAt + 69_000, hasEventTime: false, up: 1000, down: 200 }, 1200],
  ])('count what is new and leave it closed if it %s', (_, facts, used) => {
    const sim = reset();
    const { events } = applyUpdates(sim, [makeUpdate(facts)]);
    expect(sim.sessions.get(11)).toMatchObject({ stoppedAt: resetAt, cause: 'Admin-Reset' });
    expect([events, sim.used, sim.connection]).toEqual([[], used, 3]);
  });
});

describe('Reports under a known session id whose Start was lost', () => {
  const day = 86_400_000;
  const begun = start + day;
  const whole = { sessionSeconds: 600, up: 900, down: 100 };
  const earlier = (facts: Parameters<typeof makeUpdate>[0] = { status: 'stop', cause: 'User-Request' }) => {
    const sim = simState();
    applyUpdates(sim, [
      makeUpdate({ status: 'start' }),
      makeUpdate({ at: start + 600_000, ...whole, ...facts }),
    ]);
    return sim;
  };
  const report = (seconds: number, facts: Parameters<typeof makeUpdate>[0]) =>
    makeUpdate({ at: begun + seconds * 1000, sessionSeconds: seconds, ...facts });

  it('begin another session after a reported end, which its session time shows', () => {
    const sim = earlier();
    const { events, regressed } = applyUpdates(sim, [report(300, { up: 400 }), report(600, { up: 5000 })]);
    expect(events).toMatchObject([{ kind: 'session-started', at: begun }]);
    expect([sim.used, sim.connection, regressed]).toEqual([6000, 1, 0]);
    expect(sim.sessions.get(11)).toMatchObject({ startedAt: begun, reusedAt: begun, stoppedAt: null });
  });

  it('begin another session with more volume, and end it at once if they are its Stop', () => {
    const sim = earlier();
    applyUpdates(sim, [report(300, { status: 'stop', up: 5000 })]);
    expect([sim.used, sim.connection]).toEqual([6000, 3]);
    expect(sim.sessions.get(11)).toMatchObject({ startedAt: begun, stoppedAt: begun + 300_000 });
  });

  it('begin another session if the one before is open, but their volume is lower', () => {
    const sim = earlier({});
    const { events } = applyUpdates(sim, [report(10, { hasEventTime: false, up: 40 })]);
    expect(events).toMatchObject([
      { kind: 'session-stopped', at: begun, facts: { cause: 'NAS-Reboot', bytes: 1000 } },
      { kind: 'session-started', at: begun },
    ]);
    expect([sim.used, sim.connection]).toEqual([1040, 1]);
  });

  it.each([
    ['a late one', { at: start + 300_000, sessionSeconds: 300, up: 500 }],
    ['a repetition with a new time', { at: start + 630_000, ...whole }],
    ['a lower one without a session time', { at: begun, up: 500 }],
    ['its end, a day later with a new time', { status: 'stop' as const, at: begun, ...whole }],
    ['its end, received a day later', { status: 'stop' as const, at: begun, hasEventTime: false, ...whole }],
    ['its end, longer than it seemed', { status: 'stop' as const, at: begun, ...whole, sessionSeconds: 900 }],
    [
      'an earlier one, received a day later',
      { at: begun, hasEventTime: false, sessionSeconds: 300, up: 500 },
    ],
  ])('belong to the ended session: %s', (_, facts) => {
    const sim = earlier();
    const { events } = applyUpdates(sim, [makeUpdate(facts)]);
    expect([events, sim.used, sim.connection]).toEqual([[], 1000, 3]);
  });

  it('belong to a short session that has ended if they repeat its end from a spool', () => {
    const sim = simState();
    const stop = { status: 'stop' as const, sessionSeconds: 20, up: 900, hasEventTime: false };
    const changes = applyUpdates(sim, [
      makeUpdate({ status: 'start', hasEventTime: false }),
      makeUpdate({ at: start + 20_000, ...stop }),
      makeUpdate({ at: start + 140_000, ...stop }),
      makeUpdate({ at: start + 7_200_000, ...stop }),
    ]);
    expect(changes.events.map(({ kind }) => kind)).toEqual(['session-started', 'session-stopped']);
    expect([changes.cdrs.length, sim.used, sim.connection]).toEqual([1, 900, 3]);
    expect(sim.sessions.get(11)).toMatchObject({ startedAt: start, stoppedAt: start + 20_000 });
  });

  it('begin another session without times of their own if the ended one was shorter, or had less volume', () => {
    const longer = { sessionSeconds: 700, up: 500 };
    for (const figures of [longer, { sessionSeconds: 300, up: 1000 }, { sessionSeconds: 700 }]) {
      const sim = earlier();
      const at = begun + figures.sessionSeconds * 1000;
      applyUpdates(sim, [makeUpdate({ at, hasEventTime: false, ...figures })]);
      expect(sim.sessions.get(11)).toMatchObject({ startedAt: begun, stoppedAt: null });
      expect([sim.used, sim.connection]).toEqual([1000 + ('up' in figures ? figures.up : 0), 1]);
    }
  });

  it.each([
    ['time since the last report', { sessionSeconds: 300, up: 1900, down: 100 }],
    ['no time', { up: 500 }],
  ])('continue an open session: %s', (_, facts) => {
    const sim = earlier({});
    const { events } = applyUpdates(sim, [makeUpdate({ at: start + day, ...facts })]);
    expect([events, sim.sessions.get(11)?.startedAt]).toEqual([[], start]);
  });
});

describe('Reports on a session that was closed by a restart of its gateway', () => {
  const restarted = () => {
    const sim = simState({ connection: 3 });
    applyUpdates(sim, [makeUpdate({ status: 'start' }), makeUpdate({ at: start + 300_000, up: 10 })]);
    Object.assign(sim.sessions.get(11) ?? {}, { stoppedAt: start + 400_000, cause: 'NAS-Reboot' });
    sim.connection = 3;
    return sim;
  };
  const after = (seconds: number, hasEventTime: boolean) => {
    const sim = restarted();
    const at = start + 400_000 + seconds * 1000;
    applyUpdates(sim, [makeUpdate({ at, hasEventTime, up: 20 })]);
    return [sim.sessions.get(11)?.stoppedAt === null, sim.connection, sim.used];
  };

  it('reopen it if they are from after the restart', () => {
    expect(after(1, true)).toEqual([true, 1, 20]);
    expect(after(-1, true)).toEqual([false, 3, 20]);
  });

  it('reopen it without a time of their own once none from before the restart is to be expected', () => {
    expect(after(59, false)).toEqual([false, 3, 20]);
    expect(after(61, false)).toEqual([true, 1, 20]);
  });
});
