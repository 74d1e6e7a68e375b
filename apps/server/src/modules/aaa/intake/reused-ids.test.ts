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
    ['by receipt alone', { hasEventTime: false }],
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

  it('count what is new of a session that a person has reset, and leave it closed', () => {
    const sim = closedHere('Admin-Reset');
    applyUpdates(sim, [makeUpdate({ ...day, up: 1000, down: 200 })]);
    expect(sim.sessions.get(11)).toMatchObject({ cause: 'Admin-Reset', up: 1000 });
    expect(sim.used).toBe(1200);
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
