import type { Bill } from '@simcube/contract/finance';
import { render, renderHook, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { activateLanguage } from '../../../lib/language/index.ts';
import { bill } from '../../../testing/bills.ts';
import { signedInAs } from '../../../testing/people.ts';
import { useBillColumns } from './bill-columns.tsx';

afterEach(() => vi.useRealTimers());
afterEach(() => activateLanguage('en-US'));

/** In a window of 1,440 px, next to the menu and the page's scroll bar, without the column of actions. */
const available = 1171 - 38;

test.each(['en-US', 'es-ES', 'zh-CN', 'zh-TW'] as const)(
  'all columns fit into the page: %s',
  async (language) => {
    signedInAs('user');
    await activateLanguage(language);
    const { result } = renderHook(() => useBillColumns(undefined));
    const shown = result.current.filter(({ initiallyHidden }) => !initiallyHidden);
    expect(shown.reduce((sum, { width }) => sum + width, 0)).toBeLessThanOrEqual(available);
  },
);

test('a bill has the business day of its issue', () => {
  signedInAs('user');
  const { result } = renderHook(() => useBillColumns(undefined));
  const issued = result.current.find(({ id }) => id === 'issued');
  render(issued?.render({ ...bill, issued_at: '2026-12-02T16:25:00.000Z' }, '/'));
  expect(screen.getByText('Dec 3, 2026')).toHaveAttribute('title', 'Dec 2, 2026, 16:25:00 UTC');
});

test.each([
  ['until it is to be issued', '2026-12-03T08:00:00.000Z', ['≈ Dec 3', '≈ Dec 13']],
  ['but not if it was not issued then', '2026-12-03T16:00:00.000Z', ['—', '—']],
])('a draft has the expected days of its issue and payment %s', (_, now, days) => {
  vi.useFakeTimers({ now: new Date(now) });
  signedInAs('user');
  const { result } = renderHook(() => useBillColumns(undefined));
  const draft: Bill = { ...bill, month: '2026-11', state: 'draft', issued_at: null, due_on: null };
  for (const [index, day] of days.entries()) {
    const column = result.current.find(({ id }) => id === (['issued', 'due'] as const)[index]);
    const { container } = render(column?.render(draft, '/'));
    expect(container).toHaveTextContent(day);
  }
});
