import type { SimData } from '@simcube/contract/sim';
import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { DataDetails, DataStatus } from './data-status.tsx';

const stopped: SimData = {
  state: 'stopped',
  kbps: null,
  restrictions: [{ by: 'quota', kbps: null, until: '2026-12-01T00:00:00.000Z' }],
};
const reason = 'Data stopped: quota used up · until Dec 1, 2026, 00:00';

beforeEach(() => signedInAs('user'));

test('the reason for stopped data is on hover, and also read out', async () => {
  renderScreen(<DataStatus data={stopped} />);
  const state = await screen.findByText('Stopped');
  expect(state).toHaveAttribute('title', reason);
  expect(state.parentElement).toHaveTextContent(`Stopped ${reason}`);
});

test('a reason that is shown is not read out twice', async () => {
  renderScreen(<DataDetails data={stopped} />);
  expect(await screen.findAllByText(reason)).toHaveLength(1);
});
