import { limits } from '@simcube/contract';
import { type Lifecycle, lifecycles } from '@simcube/contract/sim';
import { describe, expect, it } from 'vitest';
import {
  commonRefusal,
  dataOffRule,
  deviceNameRule,
  evaluate,
  notesRule,
  resetRule,
  resumeRule,
  type SimFacts,
  slowDownRule,
  suspendRule,
  tagsAfter,
  tagsRule,
  terminateRule,
  transferRule,
  updateInfoRule,
} from './sim-operation.rules.ts';

const sim = (facts: Partial<SimFacts> = {}): SimFacts => ({
  id: 1,
  orgId: 1,
  iccid: '8986001200000000001',
  lifecycle: 'active',
  technology: null,
  tags: [],
  ...facts,
});
const asked = { parameters: undefined, extraFacts: undefined };
const nothing = { parameters: undefined, extraFacts: new Map<number, never>(), busy: new Set<number>() };

describe('a refusal', () => {
  const tables: [string, Pick<typeof resumeRule, 'refuse'>, Partial<Record<Lifecycle, string>>][] = [
    [
      'suspend',
      suspendRule,
      {
        'pre-activated': 'CB-01-0015',
        paused: 'CB-01-0015',
        expired: 'CB-01-0009',
        terminated: 'CB-01-0009',
      },
    ],
    [
      'resume',
      resumeRule,
      {
        'pre-activated': 'CB-01-0016',
        active: 'CB-01-0016',
        expired: 'CB-01-0009',
        terminated: 'CB-01-0009',
      },
    ],
    ['terminate', terminateRule, { expired: 'CB-01-0009', terminated: 'CB-01-0026' }],
    ...([resetRule, deviceNameRule, notesRule, updateInfoRule, dataOffRule, slowDownRule] as const).map(
      (rule) =>
        [rule.type, rule, { expired: 'CB-01-0009', terminated: 'CB-01-0009' }] as [
          string,
          Pick<typeof resumeRule, 'refuse'>,
          object,
        ],
    ),
  ];
  it.each(tables)('by %s', (_, rule, refused) => {
    for (const lifecycle of lifecycles) {
      expect(rule.refuse(sim({ lifecycle }), asked), lifecycle).toBe(refused[lifecycle]);
    }
  });

  it('to resume is not for active SIMs whose data an operation holds', () => {
    expect(resumeRule.refuse(sim(), { ...asked, extraFacts: true })).toBeUndefined();
    expect(resumeRule.refuse(sim({ lifecycle: 'expired' }), { ...asked, extraFacts: true })).toBe(
      'CB-01-0009',
    );
  });

  it('of a transfer: SIMs already in the target, and expired or terminated ones', () => {
    const to = (targetId: number) => ({ parameters: { targetId }, extraFacts: undefined });
    expect(transferRule.refuse(sim(), to(1))).toBe('CB-01-0024');
    expect(transferRule.refuse(sim(), to(2))).toBeUndefined();
    expect(transferRule.refuse(sim({ lifecycle: 'expired' }), to(2))).toBe('CB-01-0009');
  });

  it('of tags: more than the maximum after the change', () => {
    const tags = Array.from({ length: limits.tags.perSim }, (_, index) => `t${index}`);
    const change = (add: string[], remove: string[]) => ({
      parameters: { add, remove },
      extraFacts: undefined,
    });
    expect(tagsRule.refuse(sim({ tags }), change(['new'], []))).toBe('CB-01-0017');
    expect(tagsRule.refuse(sim({ tags }), change(['t3'], []))).toBeUndefined();
    expect(tagsRule.refuse(sim({ tags }), change(['new'], ['t0']))).toBeUndefined();
    expect(tagsRule.refuse(sim({ tags, lifecycle: 'terminated' }), change([], ['t0']))).toBe('CB-01-0009');
  });
});

it('tags keep their order, without duplicates', () => {
  expect(tagsAfter(['a', 'b', 'c'], { add: ['d', 'a', 'd'], remove: ['b'] })).toEqual(['a', 'c', 'd']);
  expect(tagsAfter(['a'], { add: ['a'], remove: ['a'] })).toEqual(['a']);
});

describe('a decision on a selection', () => {
  const candidates = [
    { iccid: 'A', sim: sim({ id: 1 }) },
    { iccid: 'B', sim: sim({ id: 2, lifecycle: 'paused' }) },
    { iccid: 'C', sim: undefined },
    { iccid: 'D', sim: sim({ id: 4 }) },
    { iccid: 'E', sim: sim({ id: 5 }), refusal: 'CB-01-0020' as const },
  ];

  it('has the first reason for each SIM', () => {
    const { refused } = evaluate(suspendRule, candidates, { ...nothing, busy: new Set([2, 4]) });
    expect([...refused]).toEqual([
      [1, 'CB-01-0015'],
      [2, 'CB-01-0012'],
      [3, 'CB-01-0011'],
      [4, 'CB-01-0020'],
    ]);
  });

  it('has a common reason only when all are refused for the same', () => {
    const common = (...which: number[]) =>
      commonRefusal(
        evaluate(
          suspendRule,
          which.flatMap((index) => candidates[index] ?? []),
          nothing,
        ),
      );
    expect(common(1)).toBe('CB-01-0015');
    expect(common(1, 2)).toBeUndefined();
    expect(common(0, 1)).toBeUndefined();
  });
});
