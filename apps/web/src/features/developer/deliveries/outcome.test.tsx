import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { Outcome } from './outcome.tsx';

afterEach(() => vi.useRealTimers());

test.each([
  ['2026-11-22T23:40:00.000Z', 'Next attempt 23:40'],
  ['2026-11-23T00:10:00.000Z', 'Next attempt Nov 23, 00:10'],
])('the next attempt at %s is shown with its day unless that is today', async (at, text) => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T23:10:00.000Z') });
  renderScreen(<Outcome next_attempt_at={at} state="waiting" />);
  expect(await screen.findByText(text)).toBeInTheDocument();
});
