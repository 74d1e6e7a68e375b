import { expect, it } from 'vitest';
import { isBeforeNow } from './rule.rules.ts';

it('an unchanged past time is accepted in any notation, another past time is not', () => {
  const previous = { active_from: '2026-11-20T10:00:00Z', active_until: null };
  const now = new Date('2026-11-21T12:00:00Z');
  const isEarly = (active_from: string) =>
    isBeforeNow({ active_from, active_until: null }, { now, previous });
  expect(isEarly('2026-11-20T10:00:00Z')).toBe(false);
  expect(isEarly('2026-11-20T10:00:00.000Z')).toBe(false);
  expect(isEarly('2026-11-20T10:00:01Z')).toBe(true);
});
