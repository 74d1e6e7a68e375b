import { endpoints } from '@simcube/contract';
import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { PeriodBars } from './period-bars.tsx';

const gateway = stubGateway();
beforeEach(() => signedInAs('admin'));

const respond = (provisionalFrom: string) =>
  gateway.respond(`GET ${endpoints.dashboard.statistics.path}`, () =>
    success({
      range: '6months',
      points: ['2026-10', '2026-11', '2026-12'].map((at) => ({ at, bytes: 2 ** 30, previous_bytes: null })),
      provisional_from: provisionalFrom,
    }),
  );

test.each([
  ['2026-11-29T12:00:00.000Z', 'GB · lighter: provisional · cut-off 23:59 UTC+8'],
  // The current month alone is provisional, and hatched.
  ['2026-12-02T12:00:00.000Z', 'GB · cut-off 23:59 UTC+8'],
])('what lighter bars mean is shown only if there are any: from %s', async (from, expected) => {
  respond(from);
  renderScreen(<PeriodBars range="6months" />);
  expect(await screen.findByText(/^GB/)).toHaveProperty('textContent', expected);
});
