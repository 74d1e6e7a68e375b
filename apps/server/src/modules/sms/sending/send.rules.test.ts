import type { Lifecycle } from '@simcube/contract/sim';
import { describe, expect, it } from 'vitest';
import { resumeMtRule, type SmsFacts, sendRule, suspendMtRule } from './send.rules.ts';

const simOf = (lifecycle: Lifecycle) => ({
  id: 1,
  orgId: 2,
  iccid: '8988',
  lifecycle,
  technology: null,
  tags: [],
});
const free: SmsFacts = { msisdn: '88213001', isSuspended: false };
const facts: (SmsFacts | undefined)[] = [
  free,
  { ...free, msisdn: null },
  { ...free, isSuspended: true },
  undefined,
];
const refusals = (rule: typeof sendRule, lifecycle: Lifecycle = 'active') =>
  facts.map((extraFacts) => rule.refuse(simOf(lifecycle), { parameters: undefined, extraFacts }));

describe('messages to a SIM', () => {
  it('are sent if it has a number and they are not suspended', () => {
    expect(refusals(sendRule)).toEqual([undefined, 'CB-04-0003', 'CB-04-0004', 'CB-04-0003']);
  });

  it('are suspended once, and resumed if they are suspended', () => {
    expect(refusals(suspendMtRule)).toEqual([undefined, undefined, 'CB-04-0004', undefined]);
    expect(refusals(resumeMtRule)).toEqual(['CB-04-0005', 'CB-04-0005', undefined, 'CB-04-0005']);
  });

  it('are neither sent, suspended nor resumed once it has expired or was terminated', () => {
    for (const rule of [sendRule, suspendMtRule, resumeMtRule])
      for (const lifecycle of ['expired', 'terminated'] as const)
        expect(new Set(refusals(rule, lifecycle))).toEqual(new Set(['CB-01-0009']));
    expect(refusals(sendRule, 'paused')[0]).toBeUndefined();
  });
});
