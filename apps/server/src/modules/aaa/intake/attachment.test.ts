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

describe('a SIM that was transferred during a session', () => {
  const formerOwner = 7;
  const transferred = (facts: Partial<SessionUpdate> = {}) => {
    const sim = simState({ orgId: formerOwner });
    applyUpdates(sim, [german({ status: 'start', cell: 'former', ...facts })]);
    return Object.assign(sim, {
      orgId: 2,
      connection: 0,
      lastSeenAt: null,
      lastSessionAt: null,
      plmn: null,
      radio: null,
      ip: null,
      imei: null,
      lastImei: null,
    });
  };
  const nothing = { plmn: null, radio: null, ip: null, imei: null, lastImei: null };
  const none = { ...unknown, ip: null, imei: null };

  it.each([
    ['with', {}],
    ['without', none],
  ])('is not seen by its new owner in the end of the session, %s its location', (_, facts) => {
    const sim = transferred();
    const stop = german({ status: 'stop', at: minute(2), up: 10, ...facts });
    const changes = applyUpdates(sim, [stop, stop]);
    expect(sim).toMatchObject({ ...nothing, connection: 0, lastSeenAt: null });
    expect(changes.events).toMatchObject([{ kind: 'session-stopped', orgId: formerOwner }]);
    expect([...changes.sims.values()]).toMatchObject([{ kinds: [], attachmentChanged: false }]);
    expect(changes.cdrs).toMatchObject([{ orgId: 2, plmn: 262_002, cell: null }]);
    expect(sim.sessions.get(1)?.stoppedAt).toBe(minute(2));
  });

  it('is not seen in late usage of the ended session', () => {
    const sim = transferred();
    applyUpdates(sim, [german({ status: 'stop', at: minute(2) }), german({ at: minute(1), up: 10 })]);
    expect(sim).toMatchObject({ used: 10, connection: 0, lastSeenAt: null });
  });

  it('stays online in its own session when the former one ends', () => {
    const sim = transferred();
    applyUpdates(sim, [spanish({ status: 'start', at: minute(1) })]);
    applyUpdates(sim, [german({ at: minute(2), plmn: 208_001 }), german({ status: 'stop', at: minute(3) })]);
    expect(sim).toMatchObject({ ...inSpain, connection: 1, lastSeenAt: minute(3) });
  });

  it('is where the session goes on according to the reports since, until it ends', () => {
    const sim = transferred();
    applyUpdates(sim, [german({ at: minute(2), up: 10, ...none })]);
    expect(sim).toMatchObject({ ...nothing, connection: 1, lastSeenAt: minute(2) });
    applyUpdates(sim, [german({ at: minute(3), up: 20, plmn: 214_007, ip: null, cell: 'new' })]);
    expect(sim).toMatchObject({ plmn: 214_007, radio: 3, ip: null, imei: inGermany.imei });
    applyUpdates(sim, [german({ status: 'stop', at: minute(4), ...none })]);
    expect(sim).toMatchObject({ plmn: 214_007, connection: 3, lastSeenAt: minute(4) });
  });

  it('does not show its former owner the device and the cell where the session goes on', () => {
    const sim = transferred();
    const { cdrs } = applyUpdates(sim, [
      german({ at: minute(2), up: 10, plmn: 214_007, imei: inSpain.imei, cell: 'new' }),
    ]);
    expect(sim.sessions.get(1)).toMatchObject({
      plmn: 214_007,
      imei: inGermany.imei,
      cell: 'former',
      up: 10,
    });
    expect([sim.imei, cdrs[0]?.cell]).toEqual([inSpain.imei, 'new']);
  });
});

describe('the gateway of a session', () => {
  const standby = { clientId: 2, gatewayAddress: '10.0.0.9' };
  const gatewayOf = (sim: ReturnType<typeof simState>) => {
    const { clientId, gatewayAddress } = sim.sessions.get(1) ?? {};
    return { clientId, gatewayAddress };
  };

  it('is the one that reports it now, as after a failover', () => {
    const sim = simState();
    applyUpdates(sim, [german({ status: 'start' })]);
    const changes = applyUpdates(sim, [german({ at: minute(2), ...standby })]);
    expect(gatewayOf(sim)).toEqual(standby);
    expect([...changes.sessions.values()]).toMatchObject([{ isFullWrite: true }]);
    const next = applyUpdates(sim, [german({ at: minute(3), up: 10, ...standby })]);
    expect([...next.sessions.values()]).toMatchObject([{ isFullWrite: false }]);
  });

  it('is not changed by a late report', () => {
    const sim = simState();
    applyUpdates(sim, [german({ status: 'start' }), german({ at: minute(5), ...standby })]);
    applyUpdates(sim, [german({ at: minute(3), up: 10 })]);
    expect(gatewayOf(sim)).toEqual(standby);
  });
});
