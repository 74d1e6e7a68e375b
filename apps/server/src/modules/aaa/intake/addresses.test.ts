import { describe, expect, it } from 'vitest';
import { applyUpdates, makeUpdate, simState, start } from '../../../testing/intake-states.ts';
import type { Rivals } from './sim-cache.ts';
import type { SimState } from './sim-state.ts';
import type { SessionUpdate } from './update.ts';

const ip = '10.0.0.7';
const minute = (n: number) => start + n * 60_000;

/** Two SIMs: the second one begins a session at the address of the first one's. */
const reassigned = (second: Partial<SessionUpdate> = {}) => {
  const [sim, other] = [simState(), simState({ simId: 2, iccid: '8949020000000000002' })];
  applyUpdates(sim, [makeUpdate({ status: 'start', ip, apn: 'iot' })]);
  applyUpdates(sim, [makeUpdate({ at: minute(1), up: 10, ip, apn: 'iot' })]);
  const begin = { status: 'start', sessionKey: 12, sessionId: 'T', at: minute(2), ip, apn: 'iot' } as const;
  const rivals = rivalsOf(sim);
  const batch = [makeUpdate({ ...begin, ...second })];
  const { events } = applyUpdates(other, batch, 1, { rivals });
  return { sim, other, rivals, events };
};

const rivalsOf = (...sims: readonly SimState[]): Rivals => {
  const open = sims.flatMap((sim) =>
    [...sim.sessions.values()]
      .filter(({ stoppedAt }) => stoppedAt === null)
      .map((session) => ({ sim, session })),
  );
  return new Map([[ip, open]]);
};

const sessionOf = (sim: SimState) => sim.sessions.get(11);

describe('A session at the address of another SIM’s', () => {
  it('ends it if it is of the same gateway and APN', () => {
    const { sim, events } = reassigned();
    expect(sessionOf(sim)).toMatchObject({ stoppedAt: minute(1), cause: 'Superseded' });
    expect(sim.connection).toBe(3);
    expect(events.map(({ simId, kind }) => [simId, kind])).toEqual([
      [1, 'session-stopped'],
      [2, 'session-started'],
    ]);
  });

  it.each([
    ['another gateway behind the same proxy', { nas: 'pgw-2' }],
    ['another client with a gateway of that name', { clientId: 2 }],
    ['another APN', { apn: 'private' }],
  ])('leaves it if it is of %s', (_, second) => {
    const { sim } = reassigned(second);
    expect(sessionOf(sim)).toMatchObject({ stoppedAt: null, cause: null });
    expect(sim.connection).toBe(1);
  });
});

describe('A session that was ended because of its address', () => {
  const later = (facts: Partial<SessionUpdate> = {}) =>
    makeUpdate({ at: minute(5), up: 50, ip, apn: 'iot', ...facts });

  it.each([{}, { ip: null, apn: null }])(
    'goes on with a later report (%j) if nobody holds the address',
    (facts) => {
      const { sim, other } = reassigned();
      applyUpdates(other, [makeUpdate({ status: 'stop', sessionKey: 12, at: minute(3) })]);
      applyUpdates(sim, [later(facts)], 1, { rivals: rivalsOf(other) });
      expect(sessionOf(sim)).toMatchObject({ stoppedAt: null, cause: null, updatedAt: minute(5), up: 50 });
      expect([sim.connection, sim.used]).toEqual([1, 50]);
    },
  );

  it.each([{}, { ip: null, apn: null }])(
    'stays ended, and counts, while another SIM holds the address (%j)',
    (facts) => {
      const { sim, other } = reassigned();
      applyUpdates(sim, [later(facts)], 1, { rivals: rivalsOf(other) });
      expect(sessionOf(sim)).toMatchObject({ stoppedAt: minute(1), cause: 'Superseded', up: 50 });
      expect([sim.connection, sim.used]).toEqual([3, 50]);
    },
  );

  it('stays ended if the report is in the batch that ended it', () => {
    const { sim, rivals } = reassigned();
    applyUpdates(sim, [later()], 1, { rivals });
    expect(sessionOf(sim)).toMatchObject({ cause: 'Superseded', up: 50 });
  });

  it('stays ended with a report from before its end', () => {
    const { sim } = reassigned();
    applyUpdates(sim, [later({ at: start + 30_000 })]);
    expect(sessionOf(sim)).toMatchObject({ cause: 'Superseded', up: 50 });
  });

  it('goes on if the address is held at another gateway', () => {
    const { sim, other } = reassigned();
    const [held] = other.sessions.values();
    Object.assign(held ?? {}, { nas: 'pgw-2' });
    applyUpdates(sim, [later()], 1, { rivals: rivalsOf(other) });
    expect(sessionOf(sim)).toMatchObject({ stoppedAt: null });
  });
});
