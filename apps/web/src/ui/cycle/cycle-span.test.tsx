import { render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { session } from '../../lib/session/index.ts';
import { signedInAs } from '../../testing/people.ts';
import { CycleSpan } from './cycle-span.tsx';

afterEach(() => session.clear());

const shown = (from: string, endsAt: string): string | null => {
  const { container } = render(<CycleSpan endsAt={endsAt} from={from} />);
  return container.textContent;
};
const plain = (text: string | null) => text?.replace(/\s/gu, ' ');

test('a cycle is shown by its first and last day at UTC+8, whatever the time zone', () => {
  expect(plain(shown('2026-10-31T16:00:00Z', '2026-11-30T16:00:00Z'))).toBe('Nov 1 – 30, 2026');
  expect(screen.getByTitle(/Oct 31, 2026, 16:00/)).toBeInTheDocument();
});

test('a cycle of one day is that day', () => {
  expect(shown('2026-11-04T16:00:00Z', '2026-11-05T16:00:00Z')).toBe('Nov 5, 2026');
});

test('a cycle of a year has both years', () => {
  expect(plain(shown('2026-11-19T16:00:00Z', '2027-11-19T16:00:00Z'))).toBe('Nov 20, 2026 – Nov 19, 2027');
});

test('the first cycle begins on the day of activation, and ends like the others', () => {
  expect(plain(shown('2026-08-15T17:30:00Z', '2026-08-31T16:00:00Z'))).toBe('Aug 16 – 31, 2026');
});

test('a cycle of 24 hours, which begins within a day, is shown by its instants', () => {
  expect(plain(shown('2026-11-04T10:20:00Z', '2026-11-05T10:20:00Z'))).toBe(
    'Nov 4, 2026, 10:20 – Nov 5, 2026, 10:20',
  );
});

test('a cycle uses the business days of the installation', () => {
  signedInAs('admin', { dayOffset: -5 });
  expect(plain(shown('2026-11-01T05:00:00Z', '2026-12-01T05:00:00Z'))).toBe('Nov 1 – 30, 2026');
  expect(shown('2026-11-01T05:00:00Z', '2026-11-30T16:00:00Z')).toContain('05:00');
});
