import { render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type Moment, Timeline } from './index.ts';

const moment = (changes: Partial<Moment> = {}): Moment => ({
  id: '1',
  at: '2026-11-21T14:31:00.000Z',
  title: 'Session ended',
  detail: 'the device ended it',
  exact: 'cause: User-Request',
  note: 'by system',
  tone: 'grey',
  ...changes,
});

test('the timeline groups moments by day, in the given order', () => {
  render(
    <Timeline
      label="Status trace"
      moments={[
        moment({ id: '3', title: 'Resumed' }),
        moment({ id: '2', at: '2026-11-21T09:12:00.000Z' }),
        moment({ id: '1', at: '2026-11-02T00:00:00.000Z', title: 'Activated' }),
      ]}
    />,
  );
  expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual([
    'Nov 21, 2026',
    'Nov 2, 2026',
  ]);
  const today = within(screen.getByRole('list', { name: 'Status trace: Nov 21, 2026' }));
  expect(today.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    '14:31Resumedthe device ended itby system',
    '09:12Session endedthe device ended itby system',
  ]);
});

test('the timeline shows exact times and recorded details as titles', () => {
  render(<Timeline label="Status trace" moments={[moment()]} />);
  const time = screen.getByText('14:31');
  expect(time).toHaveAttribute('dateTime', '2026-11-21T14:31:00.000Z');
  expect(time.title).toContain('14:31:00');
  expect(screen.getByText('the device ended it')).toHaveAttribute('title', 'cause: User-Request');
});

test('the timeline renders no empty details', () => {
  const { container } = render(
    <Timeline label="Status trace" moments={[moment({ detail: '', exact: '', note: undefined })]} />,
  );
  expect(screen.getByRole('listitem')).toHaveTextContent(/^14:31Session ended$/);
  expect(container.querySelectorAll('li span span')).toHaveLength(1);
});

test('the days of the timeline follow the time display', () => {
  // 23:30 UTC is already the next day east of it; the console shows UTC by default.
  render(<Timeline label="Status trace" moments={[moment({ at: '2026-11-20T23:30:00.000Z' })]} />);
  expect(screen.getByRole('heading')).toHaveTextContent('Nov 20, 2026');
});

test('a timeline without moments is empty', () => {
  const { container } = render(<Timeline label="Status trace" moments={[]} />);
  expect(container.querySelector('li, h3')).toBeNull();
});
