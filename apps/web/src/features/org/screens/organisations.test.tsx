import { limits } from '@simcube/contract';
import type { ListedOrganisation } from '@simcube/contract/org';
import { renderHook, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { useLiveStream } from '../../../lib/live/index.ts';
import { readMemberships } from '../../../lib/memberships/index.ts';
import { session } from '../../../lib/session/index.ts';
import { useToasts } from '../../../lib/toast/index.ts';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { membershipOf, signedInAs } from '../../../testing/people.ts';
import { renderScreen, useAddress } from '../../../testing/render-screen.tsx';
import { OrganisationsScreen } from '../screens.ts';
import { organisationSearch } from '../search.ts';

const gateway = stubGateway();
const call = 'GET /customer/orgs';

const organisation = (code: string, changes: Partial<ListedOrganisation> = {}): ListedOrganisation => ({
  id: code,
  code,
  name: `${code} Mobility`,
  country: 'DE',
  tenantId: `tenant-${code}`,
  default: code === 'ACME',
  role: 'admin',
  logo: null,
  parent_code: null,
  above: [],
  created_at: '2026-01-02T00:00:00.000Z',
  ...changes,
});

const Screen = () => <OrganisationsScreen {...useAddress(organisationSearch)} />;
const show = () => renderScreen(<Screen />).user;

test('lists my organisations and switches to another one', async () => {
  signedInAs('admin');
  gateway.respond(call, () => success([organisation('ACME'), organisation('NORD')], { total_count: 2 }));
  const user = show();
  const row = await screen.findByRole('row', { name: /NORD Mobility/ });
  expect(screen.getByText('2 organisations')).toBeInTheDocument();
  expect(within(row).getByText('Germany')).toBeInTheDocument();
  expect(within(row).getByText('Admin')).toBeInTheDocument();
  expect(
    within(screen.getByRole('row', { name: /ACME Mobility/ })).getByText('Default sign-in'),
  ).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Switch to ACME Mobility' })).not.toBeInTheDocument();
  // Prevents the page change, which would happen two frames later.
  const frames = vi.spyOn(window, 'requestAnimationFrame').mockReturnValue(0);
  await user.click(screen.getByRole('button', { name: 'Switch to NORD Mobility' }));
  expect(session.get('partnerCode')).toBe('NORD');
  expect(session.get('tenantId')).toBe('tenant-NORD');
  expect(renderHook(() => useToasts()).result.current).toMatchObject([
    { kind: 'info', text: 'Switching to NORD Mobility…' },
  ]);
  frames.mockRestore();
});

test('what the list shows is stored for the switcher', async () => {
  signedInAs('admin');
  const renamed = [organisation('ACME', { name: 'Acme Transport' }), organisation('BRANCH')];
  gateway.respond(call, () => success(renamed, { total_count: 2 }));
  show();
  expect(await screen.findByText('BRANCH Mobility')).toBeInTheDocument();
  await waitFor(() =>
    expect(session.memberships().map(({ name }) => name)).toEqual(['Acme Transport', 'BRANCH Mobility']),
  );
  expect(gateway.sent).toHaveLength(2);
});

test('an organisation can be chosen when those of the sign-in can’t be read', async () => {
  signedInAs('admin');
  localStorage.setItem('rolesInfo', 'no JSON');
  gateway.respond(call, ({ query }) =>
    query.get('page_size') === String(limits.organisationsAtSignIn)
      ? errorResponse({ http: 500, code: 'CB-99-0500' })
      : success([organisation('ACME')], { total_count: 1 }),
  );
  const user = show();
  const choose = 'Choose an organisation to continue.';
  expect(await screen.findByText(choose)).toBeInTheDocument();
  const switchTo = await screen.findByRole('button', { name: 'Switch to ACME Mobility' });
  const frames = vi.spyOn(window, 'requestAnimationFrame').mockReturnValue(0);
  await user.click(switchTo);
  frames.mockRestore();
  expect(session.currentMembership()?.code).toBe('ACME');
  await waitFor(() => expect(screen.queryByText(choose)).not.toBeInTheDocument());
});

test('an organisation further down is deleted from a list without those between', async () => {
  signedInAs('admin');
  const team = organisation('TEAM', { parent_code: 'BRANCH', above: ['ACME'] });
  const other = organisation('OTHER', { parent_code: 'BRANCH' });
  gateway.respond(call, ({ query }) => {
    const isFirstPage = query.get('page_size') !== String(limits.organisationsAtSignIn);
    return success([...(isFirstPage ? [] : [organisation('ACME')]), team, other], { total_count: 3 });
  });
  const user = show();
  await user.click(await screen.findByRole('button', { name: 'Actions for OTHER Mobility' }));
  expect(await screen.findByRole('menuitem', { name: 'Settings' })).toBeInTheDocument();
  expect(screen.queryByRole('menuitem', { name: 'Delete' })).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Actions for TEAM Mobility' }));
  expect(await screen.findByRole('menuitem', { name: 'Delete' })).toBeInTheDocument();
});

test('a server of the version before names only the parent of an organisation', async () => {
  signedInAs('admin');
  const listed = [
    organisation('ACME'),
    organisation('TEAM', { parent_code: 'ACME' }),
    organisation('NORD', { parent_code: 'BRANCH' }),
  ];
  gateway.respond(call, () =>
    success(
      listed.map((one) => ({ ...one, above: undefined })),
      { total_count: 3 },
    ),
  );
  const user = show();
  await user.click(await screen.findByRole('button', { name: 'Actions for TEAM Mobility' }));
  expect(await screen.findByRole('menuitem', { name: 'Delete' })).toBeInTheDocument();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('menuitem', { name: 'Delete' })).not.toBeInTheDocument());
  await user.click(screen.getByRole('button', { name: 'Actions for NORD Mobility' }));
  expect(await screen.findByRole('menuitem', { name: 'Settings' })).toBeInTheDocument();
  expect(screen.queryByRole('menuitem', { name: 'Delete' })).not.toBeInTheDocument();
});

test('organisations beyond the stored ones are not read again with each page', async () => {
  const stored = Array.from({ length: limits.organisationsAtSignIn }, (_, index) =>
    membershipOf('admin', index === 0 ? 'ACME' : `ORG-${index}`),
  );
  signedInAs('admin', { rolesInfo: stored });
  gateway.respond(call, () => success([organisation('TEAM')], { total_count: stored.length + 1 }));
  show();
  expect(await screen.findByText('TEAM Mobility')).toBeInTheDocument();
  // Requests of the whole list are sent one after the other: one that the page caused would be before this one.
  await readMemberships();
  expect(gateway.sent).toHaveLength(2);
});

test('searches, and distinguishes an empty result from having no memberships', async () => {
  signedInAs('admin', { partnerCode: null, tenantId: null });
  gateway.respond(call, () => success([], { total_count: 0 }));
  const user = show();
  expect(await screen.findByText('You do not belong to an organisation yet')).toBeInTheDocument();
  expect(screen.queryByText('Choose an organisation to continue.')).not.toBeInTheDocument();
  await user.type(screen.getByLabelText('Search by name or code'), 'nord');
  expect(await screen.findByText('No organisation matches')).toBeInTheDocument();
  await waitFor(() => expect(gateway.sent.at(-1)?.query.get('search')).toBe('nord'));
});

test('a failure is shown in place and can be retried', async () => {
  signedInAs('admin');
  gateway.respond(call, () => errorResponse({ http: 500, code: 'CB-99-0500', message: 'It broke.' }));
  const user = show();
  expect(await screen.findByText('It broke.')).toBeInTheDocument();
  gateway.respond(call, () => success([organisation('NORD')], { total_count: 1 }));
  await user.click(screen.getByRole('button', { name: /try again/i }));
  expect(await screen.findByText('NORD Mobility')).toBeInTheDocument();
});

const LiveScreen = () => {
  useLiveStream(true);
  return <Screen />;
};

test('the role is updated when an admin changes it', async () => {
  signedInAs('admin');
  let emit: (text: string) => void = () => undefined;
  gateway.respond('GET /identity/sse/connect', () => {
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        emit = (text) => controller.enqueue(new TextEncoder().encode(text));
      },
    });
    return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
  });
  gateway.respond(call, () => success([organisation('ACME', { role: 'operator' })], { total_count: 1 }));
  renderScreen(<LiveScreen />);
  const row = await screen.findByRole('row', { name: /ACME Mobility/ });
  expect(within(row).getByText('Operator')).toBeInTheDocument();
  gateway.respond(call, () => success([organisation('ACME')], { total_count: 1 }));
  const fact = JSON.stringify({ userId: session.get('userId') });
  emit(`event: account.changed\nid: 1\ndata: ${fact}\n\n`);
  expect(await within(row).findByText('Admin')).toBeInTheDocument();
});

test('another organisation becomes the default at sign-in', async () => {
  signedInAs('user');
  gateway.respond(call, () =>
    success([organisation('ACME', { role: 'user' }), organisation('NORD', { role: 'user' })], {
      total_count: 2,
    }),
  );
  gateway.respond('POST /customer/orgs/NORD', () => success(organisation('NORD', { default: true })));
  const user = show();
  await user.click(await screen.findByRole('button', { name: 'Actions for NORD Mobility' }));
  expect(screen.queryByRole('menuitem', { name: 'Settings' })).not.toBeInTheDocument();
  await user.click(await screen.findByRole('menuitem', { name: 'Make default sign-in' }));
  await waitFor(() =>
    expect(gateway.sent.find(({ method }) => method === 'POST')?.body).toEqual({ default: true }),
  );
  expect(screen.queryByRole('button', { name: 'New Organisation' })).not.toBeInTheDocument();
});

test('a sub-organisation is deleted after its name is typed; unmet conditions are shown', async () => {
  signedInAs('admin');
  const below = organisation('NORD', { parent_code: 'ACME', above: ['ACME'] });
  const deleteCall = 'DELETE /customer/enterprises/delete/cube/NORD';
  gateway.respond(call, () => success([organisation('ACME'), below], { total_count: 2 }));
  gateway.respond(deleteCall, () =>
    errorResponse({ http: 409, code: 'CB-07-0132', resultCode: '0132', message: 'Conditions are not met.' }),
  );
  const user = show();
  expect(await screen.findByRole('button', { name: 'New Organisation' })).toBeInTheDocument();
  await user.click(await screen.findByRole('button', { name: 'Actions for NORD Mobility' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  const typed = await screen.findByLabelText('Type NORD Mobility to confirm');
  await user.type(typed, 'NORD');
  await user.click(screen.getByRole('button', { name: 'Delete permanently' }));
  expect(await screen.findByText('This is not the name of the organisation')).toBeInTheDocument();
  expect(gateway.sent.some(({ method }) => method === 'DELETE')).toBe(false);
  await user.type(typed, ' Mobility');
  await user.click(screen.getByRole('button', { name: 'Delete permanently' }));
  expect(await screen.findByText('Conditions are not met.')).toBeInTheDocument();
  gateway.respond(deleteCall, () => success(null));
  await user.click(screen.getByRole('button', { name: 'Delete permanently' }));
  await waitFor(() => expect(screen.queryByText('Delete NORD Mobility?')).not.toBeInTheDocument());
});
