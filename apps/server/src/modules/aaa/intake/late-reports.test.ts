import { describe, expect, it } from 'vitest';
import { applyUpdates, makeUpdate, simState, start } from '../../../testing/intake-states.ts';

const minute = (n: number): number => start + n * 60_000;
const [unknown, online, connected, offline] = [0, 1, 2, 3];

describe('a report that is received late', () => {
  it.each([
    { shows: 'connected', connection: connected },
    { shows: null, connection: unknown },
  ] as const)(
    'does not bring a SIM online, but counts; the next one in time does ($shows)',
    ({ shows, connection }) => {
      const sim = simState();
      applyUpdates(sim, [
        makeUpdate({ status: 'start', shows }),
        makeUpdate({ at: minute(5), up: 7, shows }),
      ]);
      expect(sim).toMatchObject({ connection, used: 7 });
      applyUpdates(sim, [makeUpdate({ at: minute(10), up: 8 })]);
      expect(sim).toMatchObject({ connection: online, used: 8 });
    },
  );

  it.each([
    [online, 'connected', online],
    [online, null, online],
    [offline, 'connected', connected],
    [offline, null, offline],
  ] as const)('of an open session changes the connection %i, showing %s, to %i', (before, shows, after) => {
    const sim = simState();
    applyUpdates(sim, [makeUpdate({ status: 'start' })]);
    sim.connection = before;
    applyUpdates(sim, [makeUpdate({ at: minute(5), up: 7, shows })]);
    expect(sim).toMatchObject({ connection: after, used: 7, lastSeenAt: minute(5) });
  });

  it('of the end of its last session makes a SIM offline', () => {
    const sim = simState();
    applyUpdates(sim, [makeUpdate({ status: 'start' })]);
    applyUpdates(sim, [makeUpdate({ status: 'stop', at: minute(5), shows: null })]);
    expect(sim).toMatchObject({ connection: offline });
  });
});
