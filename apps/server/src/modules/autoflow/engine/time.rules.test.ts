import { dayMs, hourMs, minuteMs } from '@simcube/contract/time';
import { describe, expect, it } from 'vitest';
import type { ArmedRule } from './armed-rule.rules.ts';
import {
  dueSpan,
  hasTimeTrigger,
  keyOf,
  leadMs,
  measuredOf,
  runningSince,
  type TimeRule,
} from './time.rules.ts';

const instant = Date.parse('2026-10-10T12:00:00Z');
const ruleOf = (trigger: TimeRule['trigger'], own: Partial<ArmedRule> = {}): TimeRule => ({
  id: 1,
  version: 1,
  scope: { kind: 'all' },
  actions: [],
  groupMinutes: null,
  since: 0,
  until: null,
  ...own,
  trigger,
});
const unused = ruleOf({ kind: 'first-use', unused_days: 3 });
const expiry = ruleOf({ kind: 'lifecycle-expiry', days: 7 });
const silent = ruleOf({ kind: 'silent', hours: 5 });

describe('a rule that depends on time', () => {
  it('waits for an end, for silence, or for days without use', () => {
    expect([unused, expiry, silent].map(hasTimeTrigger)).toEqual([true, true, true]);
    expect(hasTimeTrigger(ruleOf({ kind: 'first-use', unused_days: null }))).toBe(false);
    expect(hasTimeTrigger({ ...silent, trigger: { kind: 'status-change', to: ['active'] } } as never)).toBe(
      false,
    );
  });

  it('is due before an end, and after the SIM was last seen', () => {
    expect([unused, expiry, silent].map(leadMs)).toEqual([-3 * dayMs, -7 * dayMs, 5 * hourMs]);
    expect(leadMs(ruleOf({ kind: 'first-use', unused_days: null }))).toBeCloseTo(0);
  });

  it('names its occasion by the instant', () => {
    expect([unused, expiry, silent].map((rule) => keyOf(rule, instant))).toEqual([
      'unused until 2026-10-10T12:00:00.000Z',
      'expires 2026-10-10T12:00:00.000Z',
      'silent since 2026-10-10T12:00:00.000Z',
    ]);
  });

  it('measures whole hours of silence, and shows an end as it is', () => {
    const since = '2026-10-10T12:00:00.000Z';
    expect(measuredOf(silent, { instant, now: instant + 6 * hourMs - 1 })).toEqual({
      value: 5,
      threshold: 5,
      unit: 'hours',
      since,
    });
    expect(measuredOf(expiry, { instant, now: instant - dayMs })).toEqual({
      value: since,
      threshold: null,
      unit: null,
      since: null,
    });
  });

  it('is due in a run from when it was armed until it ends', () => {
    const due = (since: number, until: number | null) =>
      dueSpan({ ...silent, since, until }, { from: 100, now: 200 });
    expect([due(0, null), due(150, null), due(0, 150), due(0, 300)]).toEqual([
      { from: 100, to: 200 },
      { from: 150, to: 200 },
      { from: 100, to: 150 },
      { from: 100, to: 200 },
    ]);
    expect([due(200, null), due(0, 100), due(300, 350)]).toEqual([undefined, undefined, undefined]);
  });
});

describe('runs without a gap', () => {
  const evaluation = { judgedUntil: 0, ranAt: instant, runningSince: 5 };
  const gap = 10 * minuteMs;

  it('go on for up to ten minutes between two of them', () => {
    const since = (now: number) => runningSince(evaluation, { since: 0, now });
    expect([since(instant + gap), since(instant + gap + 1)]).toEqual([5, instant + gap + 1]);
  });

  it('begin when the first rule is armed', () => {
    const since = (armed: number, now: number) => runningSince(undefined, { since: armed, now });
    expect([since(instant, instant + gap), since(instant, instant + gap + 1)]).toEqual([
      ...[0, instant + gap + 1],
    ]);
    expect(runningSince(evaluation, { since: instant + gap, now: instant + 2 * gap })).toBe(5);
  });
});
