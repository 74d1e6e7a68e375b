import { describe, expect, it } from 'vitest';
import { applyUpdates, makeUpdate, simState, start } from '../../../testing/intake-states.ts';
import type { Changes } from './changes.ts';
import type { SessionUpdate } from './update.ts';

const minute = (n: number): number => start + n * 60_000;
const unknown = { plmn: null, radio: null };

/** The SIM's first session, in Germany, and one that begins later, in Spain. */
const german = (facts: Partial<SessionUpdate>): SessionUpdate =>
  makeUpdate({ sessionKey: 1, plmn: 262_002, radio: 3, ip: '10.0.0.1', imei: '35693803564380', ...facts });
const spanish = (facts: Partial<SessionUpdate>): SessionUpdate =>
  makeUpdate({ sessionKey: 2, plmn: 214_007, radio: 4, ip: '10.0.0.2', imei: '49015420323751', ...facts });

const inSpain = { plmn: 214_007, radio: 4, ip: '10.0.0.2', imei: '49015420323751' };
const inGermany = { plmn: 262_002, radio: 3, ip: '10.0.0.1', imei: '35693803564380' };

const moves = ({ events }: Changes): unknown[] =>
  events
    .filter(({ kind }) => kind === 'network-changed' || kind === 'imei-changed')
    .map(({ kind, facts }) => [kind, facts]);

const bothOpen = () => {
  const sim = simState();
  const changes = applyUpdates(sim, [
    german({ status: 'start' }),
    spanish({ status: 'start', at: minute(1) }),
  ]);
  return { sim, changes };
};

describe('a SIM with two open sessions', () => {
  it('is where the later one began', () => {
    const { sim, changes } = bothOpen();
    expect(sim).toMatchObject(inSpain);
    expect(moves(changes)).toEqual([
      ['network-changed', { from: '262-02', to: '214-07' }],
      ['imei-changed', { from: inGermany.imei, to: inSpain.imei }],
    ]);
  });

  it.each([
    ['with the same values', {}],
    ['without location', unknown],
  ])('is not moved by updates of either %s', (_, facts) => {
    const { sim } = bothOpen();
    const changes = applyUpdates(sim, [
      german({ at: minute(2), up: 10, ...facts }),
      spanish({ at: minute(3), up: 10, ...facts }),
      german({ at: minute(4), up: 20, ...facts }),
    ]);
    expect(moves(changes)).toEqual([]);
    expect(sim).toMatchObject(inSpain);
  });

  it('is not moved by an update that follows the starts in the same batch', () => {
    const sim = simState();
    applyUpdates(sim, [
      german({ status: 'start' }),
      spanish({ status: 'start', at: minute(1) }),
      german({ at: minute(2), up: 10 }),
    ]);
    expect(sim).toMatchObject(inSpain);
  });

  it.each([
    ['known', 1],
    ['unknown', 3],
  ])('is not moved by the late Stop of another one that was %s', (_, sessionKey) => {
    const { sim } = bothOpen();
    const changes = applyUpdates(sim, [german({ sessionKey, status: 'stop', at: minute(5), plmn: 208_001 })]);
    expect(moves(changes)).toEqual([]);
    expect(sim).toMatchObject({ ...inSpain, connection: 1 });
  });

  it('gets a value that an update changes in its session, and only that one', () => {
    const { sim } = bothOpen();
    const changes = applyUpdates(sim, [german({ at: minute(2), up: 10, plmn: 208_001 })]);
    expect(moves(changes)).toEqual([['network-changed', { from: '214-07', to: '208-01' }]]);
    expect(sim).toMatchObject({ ...inSpain, plmn: 208_001 });
  });

  it('is where the one that remains is, from its next update', () => {
    const { sim } = bothOpen();
    applyUpdates(sim, [spanish({ status: 'stop', at: minute(5) })]);
    const changes = applyUpdates(sim, [german({ at: minute(6), up: 10, ...unknown })]);
    expect(moves(changes)).toEqual([
      ['network-changed', { from: '214-07', to: '262-02' }],
      ['imei-changed', { from: inSpain.imei, to: inGermany.imei }],
    ]);
    expect(sim).toMatchObject(inGermany);
  });
});
