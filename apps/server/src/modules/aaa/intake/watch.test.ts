import { describe, expect, it } from 'vitest';
import { applyUpdates, hour, makeUpdate, simState, start } from '../../../testing/intake-states.ts';
import type { SimState } from './sim-state.ts';
import type { SessionUpdate } from './update.ts';

describe('the usage from which rules check a SIM', () => {
  const watches = new Map([[2, { version: 7, isDaily: false }]]);
  const day = 24 * hour;
  const watchedOf = (sim: SimState, updates: readonly SessionUpdate[]) =>
    applyUpdates(sim, updates, 1, { watches }).watched.map(({ simId, at }) => [simId, at]);

  it('is compared with the cycle’s usage after each record', () => {
    const sim = simState({ used: 10, watch: 30, watchVersion: 7 });
    const updates = [19, 20].map((up, second) => makeUpdate({ at: start + second, up }));
    expect(watchedOf(sim, updates)).toEqual([[1, start + 1]]);
    expect(watchedOf(simState({ watchVersion: 7 }), [makeUpdate({ up: 9 })])).toEqual([]);
  });

  it('is void if it was computed for another version, and ignored if nothing is watched', () => {
    expect(watchedOf(simState({ watch: 900, watchVersion: 6 }), [makeUpdate({ up: 1 })])).toEqual([
      [1, start],
    ]);
    const elsewhere = simState({ orgId: 3, watch: 0, watchVersion: 7 });
    expect(watchedOf(elsewhere, [makeUpdate({ up: 1 })])).toEqual([]);
  });

  it('does not apply to days and cycles that are over', () => {
    const sim = simState({ watch: 900, watchVersion: 7 });
    const late = makeUpdate({ at: start - day, sessionKey: 12, up: 1 });
    expect(watchedOf(sim, [makeUpdate({ up: 1 }), late])).toEqual([[1, start - day]]);
    const older = makeUpdate({ at: Date.UTC(2026, 9, 15), sessionKey: 13, up: 1 });
    expect(watchedOf(sim, [older])).toEqual([[1, Date.UTC(2026, 9, 15)]]);
  });

  it('is void for the first record of a day if each day is checked', () => {
    const daily = new Map([[2, { version: 7, isDaily: true }]]);
    const sim = simState({ watch: 900, watchVersion: 7 });
    const updates = [0, 1, day, day + 1].map((after, n) => makeUpdate({ at: start + after, up: n + 1 }));
    const { watched } = applyUpdates(sim, updates, 1, { watches: daily });
    expect(watched.map(({ at }) => at)).toEqual([start, start + day]);
  });

  it('keeps its distance when the cycle turns, unless the limit changes', () => {
    const turned = { used: 500, watch: 620, watchVersion: 7, cycleEndsAt: start };
    const sim = simState(turned);
    expect(watchedOf(sim, [makeUpdate({ up: 119 })])).toEqual([]);
    expect(sim).toMatchObject({ used: 119, watch: 120 });
    const supplied = simState({ ...turned, limit: 600, extra: 100 });
    expect(watchedOf(supplied, [makeUpdate({ up: 1 })])).toEqual([]);
    expect(supplied.watch).toBe(120);
    const usedUp = simState({ ...turned, used: 550, watch: 620, limit: 600, extra: 100 });
    expect(watchedOf(usedUp, [makeUpdate({ up: 1 })])).toEqual([[1, start]]);
  });
});
