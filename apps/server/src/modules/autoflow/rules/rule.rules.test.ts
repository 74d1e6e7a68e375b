import { expect, it } from 'vitest';
import { timesBeforeNow } from './rule.rules.ts';

it('an unchanged past time is accepted in any notation, another past time is not', () => {
  const previous = { active_from: '2026-11-20T10:00:00Z', active_until: null };
  const now = new Date('2026-11-21T12:00:00Z');
  const early = (active_from: string, active_until: string | null = null) =>
    timesBeforeNow({ active_from, active_until }, { now, previous });
  expect(early('2026-11-20T10:00:00Z')).toEqual([]);
  expect(early('2026-11-20T10:00:00.000Z')).toEqual([]);
  expect(early('2026-11-20T10:00:01Z')).toEqual(['active_from']);
  expect(early('2026-11-20T10:00:00Z', '2026-11-20T11:00:00Z')).toEqual(['active_until']);
});
