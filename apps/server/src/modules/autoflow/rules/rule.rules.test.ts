import { describe, expect, it } from 'vitest';
import { conditionOf, daysOf, hasEnded, timesBeforeNow } from './rule.rules.ts';

it('an unchanged past time is accepted in any notation, another past time is not', () => {
  const previous = { active_from: '2026-11-20T10:00:00Z', active_until: null };
  const now = new Date('2026-11-21T12:00:00Z');
  const early = (active_from: string, active_until: string | null = null) =>
    timesBeforeNow({ active_from, active_until }, { now, previous });
  expect(early('2026-11-20T10:00:00Z')).toEqual([]);
  expect(early('2026-11-20T10:00:00.000Z')).toEqual([]);
  expect(early('2026-11-20T10:00:01Z')).toEqual(['active_from']);
  expect(early('2026-11-20T10:00:00Z', '2026-11-20T11:00:00Z')).toEqual(['active_until']);
  expect(early('2026-11-21T12:00:00Z', '2026-11-21T11:59:59Z')).toEqual(['active_until']);
  expect(timesBeforeNow({ active_from: null, active_until: null }, { now, previous })).toEqual([]);
  expect(
    timesBeforeNow({ active_from: '2026-11-20T10:00:00Z', active_until: null }, { now, previous: null }),
  ).toEqual(['active_from']);
});

describe('a rule', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  const [before, after] = [new Date(now.getTime() - 1), new Date(now.getTime() + 1)];

  it('is enabled from its first instant until before its last', () => {
    const rule = { enabled: true, from: now, until: after, hasFailed: false };
    expect(conditionOf(rule, now)).toBe('enabled');
    expect(conditionOf({ ...rule, from: null, until: null, hasFailed: true }, now)).toBe('failing');
    expect(conditionOf({ ...rule, from: after, hasFailed: true }, now)).toBe('waiting');
    expect(conditionOf({ ...rule, from: before, until: now, hasFailed: true }, now)).toBe('ended');
    expect(conditionOf({ ...rule, enabled: false, until: before }, now)).toBe('disabled');
  });

  it('has ended at its end', () => {
    const ended = (active_until: string | null) => hasEnded({ active_until }, now);
    expect([ended(null), ended(now.toISOString()), ended(after.toISOString())]).toEqual([
      ...[false, true, false],
    ]);
  });

  it('has a count for each of the last days, today’s last', () => {
    expect(daysOf(new Map([['2026-11-20', 4]]), { now, days: 3 })).toEqual([
      { day: '2026-11-19', count: 0 },
      { day: '2026-11-20', count: 4 },
      { day: '2026-11-21', count: 0 },
    ]);
  });
});
