import type { Organisation } from '@simcube/contract';
import { renderHook, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { session } from '../../lib/session/index.ts';
import { useToasts } from '../../lib/toast/index.ts';
import { refusal, standInGateway, success } from '../../testing/gateway.ts';
import { signedInAs } from '../../testing/people.ts';
import { showScreen } from '../../testing/show-screen.tsx';
import { OrganisationsScreen } from './index.ts';

const gateway = standInGateway();
const call = 'GET /customer/orgs';

const organisation = (code: string): Organisation => ({
  id: code,
  code,
  name: `${code} Mobility`,
  country: 'DE',
  tenantId: `tenant-${code}`,
  default: code === 'ACME',
  role: 'admin',
  logo: null,
  parent_code: null,
  created_at: '2026-01-02T00:00:00.000Z',
});

const show = () => showScreen(<OrganisationsScreen />).user;

test('lists my organisations and switches to another one', async () => {
  signedInAs('admin');
  gateway.answer(call, () => success([organisation('ACME'), organisation('NORD')], { total_count: 2 }));
  const user = show();
  await screen.findByRole('heading', { name: 'NORD Mobility' });
  expect(screen.getByText('2 organisations')).toBeInTheDocument();
  expect(screen.getByText('NORD · Germany · Admin')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Switch to ACME Mobility' })).not.toBeInTheDocument();
  // The page would be given up two frames later.
  const frames = vi.spyOn(window, 'requestAnimationFrame').mockReturnValue(0);
  await user.click(screen.getByRole('button', { name: 'Switch to NORD Mobility' }));
  expect(session.get('partnerCode')).toBe('NORD');
  expect(session.get('tenantId')).toBe('tenant-NORD');
  expect(renderHook(() => useToasts()).result.current).toMatchObject([
    { kind: 'info', text: 'Switching to NORD Mobility…' },
  ]);
  frames.mockRestore();
});

test('searches, and tells an empty result from belonging nowhere', async () => {
  signedInAs('admin', { partnerCode: null, tenantId: null });
  gateway.answer(call, () => success([], { total_count: 0 }));
  const user = show();
  expect(await screen.findByText('You belong to no organisation yet')).toBeInTheDocument();
  expect(screen.getByText('Choose an organisation to continue.')).toBeInTheDocument();
  await user.type(screen.getByLabelText('Search by name or code'), 'nord');
  expect(await screen.findByText('No organisation matches')).toBeInTheDocument();
  await waitFor(() => expect(gateway.sent.at(-1)?.query.get('search')).toBe('nord'));
});

test('a failure is shown in place, with the way to try again', async () => {
  signedInAs('admin');
  gateway.answer(call, () => refusal({ http: 500, code: 'CB-99-0500', message: 'It broke.' }));
  const user = show();
  expect(await screen.findByText('It broke.')).toBeInTheDocument();
  gateway.answer(call, () => success([organisation('NORD')], { total_count: 1 }));
  await user.click(screen.getByRole('button', { name: /try again/i }));
  expect(await screen.findByRole('heading', { name: 'NORD Mobility' })).toBeInTheDocument();
});
