import { describe, expect, it } from 'vitest';
import { applyUpdates, makeUpdate, simState, start } from '../../../testing/intake-states.ts';

const minute = (n: number) => start + n * 60_000;
const home = { plmn: 262_002, radio: 3, apn: 'iot', cell: 'home' };
const abroad = { plmn: 214_007, radio: 4, apn: 'iot', cell: 'abroad' };

describe('usage counts in the network that its report names', () => {
  it('even if the session has already been closed', () => {
    const sim = simState();
    applyUpdates(sim, [
      makeUpdate({ ...home, up: 10 }),
      makeUpdate({ ...home, at: minute(1), status: 'stop', up: 20 }),
    ]);
    const { cdrs } = applyUpdates(sim, [makeUpdate({ ...abroad, at: minute(5), up: 50 })]);
    expect(cdrs).toMatchObject([{ ...abroad, up: 30 }]);
    expect(sim.openHour).toMatchObject({ plmn: abroad.plmn, radio: abroad.radio, up: 30 });
  });

  it('even if a later report was counted first, and that of the session stays the latest', () => {
    const sim = simState();
    applyUpdates(sim, [makeUpdate({ ...home, at: minute(5), up: 10, down: 1 })]);
    const { cdrs } = applyUpdates(sim, [makeUpdate({ ...abroad, at: minute(4), up: 10, down: 8 })]);
    expect(cdrs).toMatchObject([{ ...abroad, down: 7 }]);
    expect(sim.sessions.get(11)).toMatchObject(home);
  });

  it('or, if it names none, in that of the session', () => {
    const sim = simState();
    const unnamed = { plmn: null, radio: null, apn: null, cell: null };
    applyUpdates(sim, [makeUpdate({ ...home, up: 10 })]);
    expect(applyUpdates(sim, [makeUpdate({ ...unnamed, at: minute(5), up: 50 })]).cdrs).toMatchObject([
      { ...home, up: 40 },
    ]);
  });
});
