import type { Cdr } from '@simcube/contract/cdr';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { useCdrColumns } from './cdr-columns.tsx';

const spans = [
  ['2026-11-22T14:24:02.000Z', '2026-11-22T14:29:02.000Z'],
  ['2026-11-21T23:58:00.000Z', '2026-11-22T00:03:00.000Z'],
  ['2026-11-20T13:00:00.000Z', '2026-11-22T14:29:02.000Z'],
] as const;

/** The time column, for records with these spans. */
const Times = ({ withDays }: { withDays: boolean }) => {
  const column = useCdrColumns({ withDays }).find(({ id }) => id === 'time');
  return spans.map(([started_at, ended_at]) => (
    <p key={started_at}>{column?.render({ started_at, ended_at } as Cdr, '#')}</p>
  ));
};

test.each([
  [
    'of several days include the day',
    true,
    [
      'Nov 22, 14:24:02–14:29:02',
      'Nov 21, 23:58:00 – Nov 22, 00:03:00',
      'Nov 20, 13:00:00 – Nov 22, 14:29:02',
    ],
  ],
  [
    'of one day omit the day, except for a record of several days',
    false,
    ['14:24:02 – 14:29:02', '23:58:00 – 00:03:00', 'Nov 20, 13:00:00 – Nov 22, 14:29:02'],
  ],
])('times %s', async (_, withDays, shown) => {
  signedInAs('user');
  renderScreen(<Times withDays={withDays} />);
  expect((await screen.findAllByRole('link')).map(({ textContent }) => textContent)).toEqual(shown);
});

/** Of the table at 1,440 pixels, beside the menu and without the checkboxes. */
const room = 1184 - 42;

test.each([true, false])('all columns fit on a screen of 1440 pixels, with days: %s', async (withDays) => {
  const Widths = () => {
    const columns = useCdrColumns({ withDays }).filter(({ initiallyHidden }) => !initiallyHidden);
    return <p>{`width ${columns.reduce((sum, { width }) => sum + width, 0)}`}</p>;
  };
  signedInAs('user');
  renderScreen(<Widths />);
  const shown = (await screen.findByText(/^width/)).textContent;
  expect(Number(shown.split(' ')[1])).toBeLessThanOrEqual(room);
});
