import { ruleActionKinds, type Trigger } from '@simcube/contract/autoflow';
import { expect, it } from 'vitest';
import { isForFiredCycle } from './actions.rules.ts';

it('operations on the cycle or the order are for the cycle for which a rule on a cycle fires', () => {
  const operationsFor = (trigger: Trigger) =>
    ruleActionKinds.filter((kind) => isForFiredCycle(trigger, kind));
  const onData = (period: 'cycle' | 'day'): Trigger => ({
    kind: 'data-usage',
    period,
    threshold: { unit: 'MB', amount: 1 },
  });
  const onCycles = ['data-off', 'slow', 'terminate-order'];
  expect(operationsFor(onData('cycle')).toSorted()).toEqual(onCycles);
  expect(operationsFor({ kind: 'sms-mt', period: 'cycle', count: 1 }).toSorted()).toEqual(onCycles);
  expect(operationsFor({ kind: 'cost', currency: 'EUR', amount_minor: 1 }).toSorted()).toEqual(onCycles);
  expect(operationsFor(onData('day'))).toEqual([]);
  expect(operationsFor({ kind: 'silent', hours: 1 })).toEqual([]);
});
