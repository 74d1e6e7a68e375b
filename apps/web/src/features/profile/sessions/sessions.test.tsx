import type { SignInSession } from '@simcube/contract/identity';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { SessionsPanel } from '../index.ts';

const gateway = stubGateway();
const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36';
const open = (id: string, changes: Partial<SignInSession> = {}): SignInSession => ({
  id,
  current: false,
  address: '192.0.2.7',
  user_agent: chrome,
  created_at: '2026-11-20T08:00:00.000Z',
  last_used_at: '2026-11-21T08:00:00.000Z',
  ...changes,
});

let sessions: SignInSession[];
beforeEach(() => {
  signedInAs('user');
  sessions = [open('s1', { current: true }), open('s2'), open('s3', { user_agent: null, address: null })];
  gateway.respond('GET /identity/info/cube/sessions', () =>
    success(sessions, { total_count: sessions.length }),
  );
});

const rows = () => screen.getAllByRole('row').slice(1);

test('sessions are listed with browser and address, and the current one has no button', async () => {
  renderScreen(<SessionsPanel />);
  expect(await screen.findAllByText('Chrome 143 on Windows 10')).toHaveLength(2);
  expect(screen.getByText('Unknown browser')).toBeVisible();
  const [first] = rows();
  expect(within(first as HTMLElement).getByText('This session')).toBeVisible();
  expect(within(first as HTMLElement).queryByRole('button')).not.toBeInTheDocument();
});

test('a session is ended after a confirmation that names it', async () => {
  gateway.respond('DELETE /identity/info/cube/sessions/s2', () => {
    sessions = sessions.filter(({ id }) => id !== 's2');
    return success(null);
  });
  const { user } = renderScreen(<SessionsPanel />);
  await user.click(
    await screen.findByRole('button', { name: 'End the session of Chrome 143 on Windows 10' }),
  );
  const confirmation = await screen.findByRole('dialog');
  expect(
    within(confirmation).getByText(
      'Chrome 143 on Windows 10 is signed out immediately and must sign in again.',
    ),
  ).toBeInTheDocument();
  await user.click(within(confirmation).getByRole('button', { name: 'End' }));
  await waitFor(() => expect(rows()).toHaveLength(2));
});

test('all other sessions are ended together, with their count', async () => {
  gateway.respond('DELETE /identity/info/cube/sessions/others', () => {
    sessions = sessions.slice(0, 1);
    return success(null);
  });
  const { user } = renderScreen(<SessionsPanel />);
  await screen.findByText('This session');
  await user.click(screen.getByRole('button', { name: 'End all others' }));
  const confirmation = await screen.findByRole('dialog');
  expect(
    within(confirmation).getByText('2 other sessions are signed out immediately. This one stays signed in.'),
  ).toBeInTheDocument();
  await user.click(within(confirmation).getByRole('button', { name: 'End all others' }));
  await waitFor(() => expect(rows()).toHaveLength(1));
  expect(screen.getByRole('button', { name: 'End all others' })).toBeDisabled();
});
