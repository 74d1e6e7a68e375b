import type { AddressGroup, SmsGroup } from '@simcube/contract/notify';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { stringifySearch } from '../../../lib/search-params/index.ts';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen, useAddress } from '../../../testing/render-screen.tsx';
import { GroupsPanel, NewGroupButton } from '../index.ts';
import { type GroupSearch, groupSearch } from '../search.ts';

const gateway = stubGateway();
const path = '/job-service/rest/subscribe/group';

const night: AddressGroup = {
  id: '7',
  version: 2,
  name: 'Night shift',
  emails: ['ops@acme.example', 'desk@acme.example'],
  created_at: '2026-11-20T10:00:00.000Z',
  last_delivery: null,
};
const onCall: SmsGroup = {
  id: '9',
  version: 5,
  name: 'On call',
  phones: ['4915112345678'],
  created_at: night.created_at,
  last_delivery: null,
};

const Panel = () => {
  const address = useAddress(groupSearch);
  return (
    <>
      <NewGroupButton {...address} />
      <GroupsPanel {...address} />
    </>
  );
};

const show = (search: GroupSearch = {}, groups: AddressGroup[] = [night]) => {
  gateway.respond(`GET ${path}`, () => success(groups, { total_count: groups.length }));
  gateway.respond(`GET ${path}/sms`, () => success([onCall], { total_count: 1 }));
  return renderScreen(<Panel />, `/${stringifySearch(search)}`);
};
type User = ReturnType<typeof show>['user'];
const writes = () => gateway.sent.filter(({ method }) => method !== 'GET');
const save = async (user: User, name: string) =>
  await user.click(screen.getByText(name, { selector: 'button span' }));
/** Pastes a text into a field. */
const paste = async (user: User, label: string, text: string) => {
  await user.click(screen.getByLabelText(label));
  await user.paste(text);
};
const nightRow = async () => (await screen.findByText('Night shift')).closest('tr');

test('the page lists address groups, and SMS groups in another tab', async () => {
  signedInAs('admin');
  const { user } = show();
  expect(await nightRow()).toHaveTextContent('2ops@acme.example, desk@acme.exampleNone yetNov 20, 2026');
  await user.click(screen.getByText('SMS'));
  expect((await screen.findByText('On call')).closest('tr')).toHaveTextContent('4915112345678');
  expect(screen.getByText('New SMS subscriber')).toBeInTheDocument();
});

test('a group can be opened as a link', async () => {
  signedInAs('admin');
  const { user, history } = show();
  await user.click(await screen.findByText('Night shift', { selector: 'a' }));
  await waitFor(() => expect(history.location.href).toBe('/?group=7'));
});

test.each([
  ['a group', '/?group=8', 'Edit Weekend'],
  ['the deliveries of one', '/?deliveries=8', 'Weekend'],
])('a link opens %s that is not on the first page', async (_, address, title) => {
  signedInAs('admin');
  gateway.respond(`GET ${path}`, ({ query }) =>
    success([query.get('groupId') === '8' ? { ...night, id: '8', name: 'Weekend' } : night], {
      total_count: 30,
    }),
  );
  gateway.respond(`GET ${path}/8/deliveries`, () => success([], { total_count: 0 }));
  renderScreen(<Panel />, address);
  expect(await screen.findByRole('dialog', { name: title })).toBeInTheDocument();
});

test.each(['/?group=8', '/?deliveries=8'])('%s reports that the group does not exist', async (address) => {
  signedInAs('admin');
  gateway.respond(`GET ${path}`, ({ query }) =>
    success(query.has('groupId') ? [] : [night], { total_count: 1 }),
  );
  renderScreen(<Panel />, address);
  expect(await screen.findByText('Not found')).toBeInTheDocument();
  expect(screen.queryByLabelText('Name')).toBeNull();
});

test('edits of a group survive its removal by another person, and saving reports the reason for failing', async () => {
  signedInAs('admin');
  const { user } = show({ group: '7' });
  await user.type(await screen.findByLabelText('Name'), ' north');
  gateway.respond(`GET ${path}`, () => success([], { total_count: 0 }));
  window.dispatchEvent(new Event('visibilitychange'));
  expect(await screen.findByText('No address groups yet')).toBeInTheDocument();
  expect(screen.getByLabelText('Name')).toHaveValue('Night shift north');
  const message = 'This group does not exist.';
  gateway.respond(`PUT ${path}`, () => errorResponse({ code: 'CB-09-0017', http: 404, message }));
  await save(user, 'Save');
  expect(await screen.findByText(message)).toBeInTheDocument();
  expect(screen.getByLabelText('Name')).toHaveValue('Night shift north');
});

test('groups are searched by the server, and no match and no groups have different texts', async () => {
  signedInAs('admin');
  const { user } = show({}, []);
  expect(await screen.findByText('No address groups yet')).toBeInTheDocument();
  await paste(user, 'Search by name or email', 'ni');
  expect(await screen.findByText('No target matches')).toBeInTheDocument();
  expect(gateway.sent.at(-1)?.query.get('search')).toBe('ni');
  await user.click(screen.getByText('Clear filters'));
  expect(await screen.findByText('No address groups yet')).toBeInTheDocument();
});

test('a failure is shown in place and can be retried', async () => {
  signedInAs('admin');
  const { user } = show();
  gateway.respond(`GET ${path}`, () =>
    errorResponse({ http: 500, code: 'CB-99-0500', message: 'It broke.' }),
  );
  expect(await screen.findByText('It broke.')).toBeInTheDocument();
  gateway.respond(`GET ${path}`, () => success([night], { total_count: 1 }));
  await user.click(screen.getByText('Try again'));
  expect(await nightRow()).toBeInTheDocument();
});

test('the form reports missing fields and invalid addresses at the fields', async () => {
  signedInAs('admin');
  const { user } = show({ group: 'new' });
  await screen.findByText('Create');
  await paste(user, 'Email addresses', 'ops@acme.example nobody,');
  await save(user, 'Create');
  expect(await screen.findByText('nobody: This is not a valid email address')).toBeInTheDocument();
  expect(screen.getByText('This field is required')).toBeInTheDocument();
  expect(writes()).toEqual([]);
});

test('a name that is too long is not cut: the field says so', async () => {
  signedInAs('admin');
  const { user } = show({ group: '7' });
  await screen.findByLabelText('Name');
  await paste(user, 'Name', 'x'.repeat(60));
  await save(user, 'Save');
  expect(await screen.findByText('At most 50 characters')).toBeInTheDocument();
  expect(screen.getByLabelText<HTMLInputElement>('Name').value.length).toBeGreaterThan(50);
  expect(writes()).toEqual([]);
});

test('a group is created from pasted addresses, without duplicates', async () => {
  signedInAs('admin');
  const { user } = show();
  await user.click(await screen.findByText('New address group'));
  await screen.findByText('Create');
  await paste(user, 'Name', 'Day shift');
  await paste(user, 'Email addresses', 'ops@acme.example;OPS@acme.example,');
  gateway.respond(`POST ${path}`, ({ body }) => success({ ...night, ...(body as object), id: '8' }));
  await save(user, 'Create');
  await waitFor(() => expect(screen.queryByText('Create')).not.toBeInTheDocument());
  expect(writes().map(({ method, body }) => [method, body])).toEqual([
    ['POST', { name: 'Day shift', emails: ['ops@acme.example'] }],
  ]);
  // The list is refetched and contains the new group.
  expect(gateway.sent.at(-1)?.method).toBe('GET');
});

test('a pasted list may have the format of mail programs, with names and other punctuation', async () => {
  signedInAs('admin');
  const { user } = show();
  await user.click(await screen.findByText('New address group'));
  await screen.findByText('Create');
  await paste(user, 'Name', 'Day shift');
  await paste(
    user,
    'Email addresses',
    'Ana Li <ana@acme.example>; "Bo, B." <bo@acme.example>，ops@acme.example,',
  );
  gateway.respond(`POST ${path}`, ({ body }) => success({ ...night, ...(body as object), id: '8' }));
  await save(user, 'Create');
  await waitFor(() => expect(screen.queryByText('Create')).not.toBeInTheDocument());
  const emails = ['ana@acme.example', 'bo@acme.example', 'ops@acme.example'];
  expect(writes().map(({ body }) => body)).toEqual([{ name: 'Day shift', emails }]);
});

test('a taken name is reported at the field, too many groups above the button', async () => {
  signedInAs('admin');
  const { user } = show({ group: '7' });
  const name = await screen.findByLabelText('Name');
  expect(name).toHaveValue('Night shift');
  gateway.respond(`PUT ${path}`, () =>
    errorResponse({ http: 409, code: 'CB-09-0016', message: 'A group with this name already exists' }),
  );
  await save(user, 'Save');
  expect(await screen.findByText('A group with this name already exists')).toBeInTheDocument();
  expect(name).toHaveAttribute('aria-invalid', 'true');
  expect(writes()[0]?.body).toEqual({ groupId: '7', version: 2, name: 'Night shift', emails: night.emails });
});

test('a group that another person changed in the meantime is saved with the version that was edited', async () => {
  signedInAs('admin');
  const { user } = show({ group: '7' });
  await screen.findByLabelText('Name');
  await paste(user, 'Email addresses', 'night@acme.example,');
  gateway.respond(`GET ${path}`, () => success([{ ...night, version: 3, emails: [] }], { total_count: 1 }));
  gateway.respond(`PUT ${path}`, () =>
    errorResponse({ http: 409, code: 'CB-00-0409', message: 'Saved meanwhile' }),
  );
  for (const times of [1, 2]) {
    await save(user, 'Save');
    await waitFor(() => expect(writes()).toHaveLength(times));
    expect(await screen.findByText('Saved meanwhile')).toBeInTheDocument();
  }
  const edited = { groupId: '7', version: 2, emails: [...night.emails, 'night@acme.example'] };
  expect(writes().map(({ body }) => body)).toMatchObject([edited, edited]);
});

test('an entry that the server rejects is shown at the list with its value', async () => {
  signedInAs('admin');
  const { user } = show({ group: '7' });
  await screen.findByLabelText('Name');
  gateway.respond(`PUT ${path}`, () =>
    errorResponse({
      http: 400,
      code: 'CB-00-0400',
      issues: [{ path: 'emails.1', key: 'notAllowed', message: 'This value is not allowed' }],
    }),
  );
  await save(user, 'Save');
  expect(await screen.findByText('desk@acme.example: This value is not allowed')).toBeInTheDocument();
});

test('phones are in international form without a plus', async () => {
  signedInAs('admin');
  const { user } = show({ kind: 'sms', group: '9' });
  await screen.findByText('Save');
  await paste(user, 'Phone numbers', '+85212345678,');
  await save(user, 'Save');
  expect(await screen.findByText(/^\+85212345678: This is not a valid phone number/)).toBeInTheDocument();
  expect(writes()).toEqual([]);
});

test('a phone is added to a group of phones', async () => {
  signedInAs('admin');
  const { user } = show({ kind: 'sms', group: '9' });
  await screen.findByText('Save');
  gateway.respond(`PUT ${path}/sms`, ({ body }) => success({ ...onCall, ...(body as object) }));
  await paste(user, 'Phone numbers', '85212345678');
  await save(user, 'Save');
  const phones = ['4915112345678', '85212345678'];
  await waitFor(() =>
    expect(writes()[0]?.body).toEqual({ groupId: '9', version: 5, name: 'On call', phones }),
  );
});

test('a reader sees a whole group, and can’t change it', async () => {
  signedInAs('user', { permissionsInfo: { user: { account: ['read'] } } });
  show({ group: '7' });
  const addresses = await screen.findByLabelText('Email addresses');
  expect(within(addresses).getAllByRole('listitem')).toHaveLength(2);
  for (const action of ['New address group', 'Save']) expect(screen.queryByText(action)).toBeNull();
  expect(screen.queryByLabelText('Actions for Night shift')).toBeNull();
});

test('a link to a new group opens nothing without the permission', async () => {
  signedInAs('user', { permissionsInfo: { user: { account: ['read'] } } });
  show({ group: 'new' });
  await nightRow();
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});
