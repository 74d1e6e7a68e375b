import { connections, type Lifecycle, lifecycles } from '@simcube/contract/sim';
import { describe, expect, it } from 'vitest';
import {
  canTransition,
  connectionNumbers,
  connectionOf,
  lifecycleOf,
  lifecyclesBefore,
  lifecycleTransitions,
  networkOf,
  projectedBytes,
  spellingsOf,
} from './sim.rules.ts';

describe('lifecycle', () => {
  it('follows the table of the specification', () => {
    expect(lifecyclesBefore('active')).toEqual(['pre-activated', 'paused', 'expired']);
    expect(lifecyclesBefore('paused')).toEqual(['active']);
    expect(lifecyclesBefore('expired')).toEqual(['active', 'paused']);
    expect(lifecyclesBefore('terminated')).toEqual(['pre-activated', 'active', 'paused', 'expired']);
    expect(lifecyclesBefore('pre-activated')).toEqual([]);
  });

  it('never leaves terminated, never returns to pre-activated, never stays unchanged', () => {
    for (const one of lifecycles) {
      expect(canTransition('terminated', one)).toBe(false);
      expect(canTransition(one, 'pre-activated')).toBe(false);
      expect(canTransition(one, one)).toBe(false);
    }
  });

  it('can end in every state that a SIM can reach', () => {
    const reached = new Set<string>(['pre-activated']);
    for (let step = 0; step < lifecycles.length; step += 1) {
      for (const from of [...reached]) {
        for (const to of lifecycleTransitions[from as keyof typeof lifecycleTransitions]) reached.add(to);
      }
    }
    expect(reached).toEqual(new Set<string>(lifecycles));
  });

  it('has the numbers of the public API', () => {
    expect([10, 23, 30, 40, 50].map(lifecycleOf)).toEqual([...lifecycles]);
    expect(() => lifecycleOf(11)).toThrow(RangeError);
  });
});

describe('connection', () => {
  it('is stored as a number and read back', () => {
    for (const one of connections) expect(connectionOf(connectionNumbers[one])).toBe(one);
    expect(connectionOf(99)).toBe('unknown');
  });
});

describe('network', () => {
  const none = { mcc: null, mnc: null, operator: null, country: null, radio: null };

  it('shows the codes of a network that is not in the table', () => {
    expect(networkOf({ ...none, plmn: 1001, radio: 6 })).toEqual({
      country: null,
      mcc: '001',
      mnc: '01',
      operator: null,
      radio: 'LTE-M',
    });
    expect(networkOf({ ...none, plmn: 310_410 })).toMatchObject({ mcc: '310', mnc: '410', radio: null });
    expect(networkOf({ ...none, plmn: null })).toBeNull();
    expect(networkOf({ ...none, plmn: 0 })).toBeNull();
  });
});

describe('projection', () => {
  const startedAt = new Date('2026-11-01T00:00:00Z');
  const endsAt = new Date('2026-12-01T00:00:00Z');

  const at = (day: string, usedBytes: number, lifecycle: Lifecycle = 'active') =>
    projectedBytes({ lifecycle, startedAt, endsAt, usedBytes, now: new Date(`${day}T00:00:00Z`) });

  it('continues at the pace so far', () => {
    expect(at('2026-11-16', 100)).toBe(200);
    expect(at('2026-12-05', 100)).toBe(100);
    const early = { lifecycle: 'active', startedAt, endsAt, usedBytes: 100 } as const;
    expect(projectedBytes({ ...early, now: new Date('2026-11-02T12:00:00Z') })).toBe(2000);
    expect(projectedBytes({ ...early, now: new Date('2026-11-02T11:59:59Z') })).toBeNull();
  });

  it('is given for SIMs that may use data, and for no others', () => {
    expect(lifecycles.map((lifecycle) => at('2026-11-16', 100, lifecycle))).toEqual([
      200,
      200,
      null,
      null,
      null,
    ]);
  });

  it('is absent before there is a pace', () => {
    expect(at('2026-11-02', 9)).toBeNull();
    const now = new Date('2026-11-21T12:00:00Z');
    expect(projectedBytes({ lifecycle: 'active', startedAt: null, endsAt, usedBytes: 9, now })).toBeNull();
    expect(projectedBytes({ lifecycle: 'active', startedAt: endsAt, endsAt, usedBytes: 9, now })).toBeNull();
  });
});

describe('a written identifier', () => {
  it('may be stored in either case, or without the international prefix', () => {
    expect(spellingsOf('8986 0Fa0')).toEqual(['89860Fa0', '89860FA0', '89860fa0']);
    expect(spellingsOf('8986F0')).toEqual(['8986F0', '8986f0']);
    expect(spellingsOf(' 8986-00')).toEqual(['898600']);
    expect(spellingsOf('0049 15112')).toEqual(['004915112', '4915112']);
    expect(spellingsOf('008986012300000000001')).toEqual(['008986012300000000001']);
  });

  it('may begin with a plus after a blank', () => {
    expect(spellingsOf(' +4915112')).toEqual(['4915112']);
  });
});
