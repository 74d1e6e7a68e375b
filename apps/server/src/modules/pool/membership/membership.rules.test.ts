import { lifecycleNumbers } from '@simcube/contract/sim';
import { describe, expect, it } from 'vitest';
import { activationOf, changesDue, ineligibilityOf, type MemberFacts } from './membership.rules.ts';

const [early, at, late] = ['01', '02', '03'].map((day) => new Date(`2026-10-${day}T00:00:00Z`)) as [
  Date,
  Date,
  Date,
];
const { active, expired, terminated } = lifecycleNumbers;
const ids = { poolId: 5, simId: 1 };

const member = (own: Partial<MemberFacts> = {}): MemberFacts => ({
  simId: 1,
  orgId: 2,
  lifecycle: active,
  poolId: 5,
  poolOrgId: 2,
  enrolledAt: at,
  activatedAt: at,
  automaticPoolId: null,
  automaticSince: null,
  inUseSince: at,
  isPending: false,
  orderEndedAt: null,
  lifecycleChangedAt: late,
  ...own,
});
const outside = (own: Partial<MemberFacts> = {}): MemberFacts => ({
  ...member({ poolId: null, poolOrgId: null, enrolledAt: null, activatedAt: null }),
  automaticPoolId: 5,
  automaticSince: at,
  inUseSince: at,
  ...own,
});

describe('a SIM in no pool', () => {
  it('joins the pool that enrols automatically if its order began since then', () => {
    const join = (enrolledAt: Date) => [{ kind: 'join', ...ids, enrolledAt }];
    expect(changesDue(outside())).toEqual(join(at));
    expect(changesDue(outside({ inUseSince: late }))).toEqual(join(late));
    expect(changesDue(outside({ inUseSince: early }))).toEqual([]);
  });

  it('stays there without such a pool or order', () => {
    for (const own of [{ automaticPoolId: null }, { automaticSince: null }, { inUseSince: null }])
      expect(changesDue(outside(own))).toEqual([]);
  });
});

describe('a member of a pool', () => {
  it('contributes from when its order began, but not before it was enrolled', () => {
    const activatedAt = null;
    expect(activationOf(member({ activatedAt, inUseSince: early }))).toBe(at);
    expect(activationOf(member({ activatedAt, inUseSince: late }))).toBe(late);
    expect(activationOf(member({ activatedAt, inUseSince: null }))).toBeUndefined();
    expect(activationOf(member({ activatedAt, enrolledAt: null }))).toBeUndefined();
    expect(activationOf(member())).toBeUndefined();
  });

  it('is activated once', () => {
    expect(changesDue(member({ activatedAt: null }))).toEqual([{ kind: 'activate', ...ids }]);
    expect(changesDue(member())).toEqual([]);
  });

  it('waits for a pending order, and leaves without one', () => {
    const without = { activatedAt: null, inUseSince: null };
    expect(changesDue(member({ ...without, isPending: true }))).toEqual([]);
    expect(changesDue(member({ ...without, isPending: true, orderEndedAt: early }))).toEqual([]);
    expect(changesDue(member(without))).toEqual([{ kind: 'leave', ...ids, reason: 'bundle-ended' }]);
  });

  it('leaves when its order has ended, and joins again if a further one is pending', () => {
    const ended = { inUseSince: null, orderEndedAt: late };
    const leave = { kind: 'leave', ...ids, reason: 'bundle-ended', at: late };
    expect(changesDue(member(ended))).toEqual([leave]);
    expect(changesDue(member({ ...ended, isPending: true }))).toEqual([
      ...[leave, { kind: 'join', ...ids, enrolledAt: late }],
    ]);
    expect(changesDue(member({ ...ended, orderEndedAt: null, isPending: true }))).toEqual([]);
  });

  it('leaves when it expires, is terminated or transferred, even with an order', () => {
    const leave = { kind: 'leave', ...ids };
    const cases: [Partial<MemberFacts>, object][] = [
      [{ lifecycle: expired }, { ...leave, reason: 'expired', at: late }],
      [
        { lifecycle: terminated, poolOrgId: 3 },
        { ...leave, reason: 'terminated', at: late },
      ],
      [{ poolOrgId: 3 }, { ...leave, reason: 'transferred' }],
    ];
    for (const [own, change] of cases) {
      expect(changesDue(member(own))).toEqual([change]);
      expect(ineligibilityOf(member(own))).toEqual([change]);
      expect(ineligibilityOf(member({ ...own, poolId: null }))).toEqual([]);
    }
    expect(ineligibilityOf(member())).toEqual([]);
  });
});
