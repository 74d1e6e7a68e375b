import type { Schedule } from '@simcube/contract/schedule';
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { stringifySearch } from '../../lib/search-params/index.ts';
import { errorResponse, stubGateway, success } from '../../testing/gateway.ts';
import { signedInAs } from '../../testing/people.ts';
import { renderScreen, useAddress } from '../../testing/render-screen.tsx';
import {
  forecast,
  respondWithSchedule,
  run,
  schedule,
  schedulesPath,
} from '../../testing/schedule-examples.ts';
import { NewScheduleScreen, ScheduleScreen } from './schedule.screen.tsx';
import { newScheduleHref } from './schedule-prefills.ts';
import { newScheduleSearch, type ScheduleSearch, scheduleSearch } from './search.ts';

const gateway = stubGateway();
const base = schedulesPath;
const iccid = '89340700000023553065';

const stubResponses = (shown?: Schedule) => respondWithSchedule(gateway, shown);
const stubSims = (...iccids: string[]) =>
  gateway.respond('POST /cube/sim/list/identifiers', () => success({ iccids, not_found: [], duplicates: 0 }));
const Detail = () => <ScheduleScreen {...useAddress(scheduleSearch)} />;
const New = () => <NewScheduleScreen {...useAddress(newScheduleSearch)} />;
const show = (search: ScheduleSearch = { id: '7' }) =>
  renderScreen(<Detail />, `/${stringifySearch(search)}`);
const bodiesOf = (call: string) =>
  gateway.sent.filter(({ method, path }) => `${method} ${path}` === call).map(({ body }) => body);
const bodyOf = (call: string) => bodiesOf(call).at(-1);
afterEach(() => vi.useRealTimers());
type User = ReturnType<typeof show>['user'];
const press = async (user: User, name: string) =>
  user.click(await screen.findByText(name, { selector: 'button span' }));

test('a schedule shows its next runs in two zones, its past runs, and the remaining quota', async () => {
  signedInAs('admin');
  stubResponses();
  show();
  const rowOf = (text: string) => screen.findAllByText(text).then(([first]) => first?.closest('tr'));
  // Shows all SIMs until it is known that only one is reached.
  expect((await rowOf('05:30'))?.textContent).toMatch(/06:3005:30(?:1|214)$/);
  await waitFor(async () => expect((await rowOf('05:30'))?.textContent).toMatch(/06:3005:301$/));
  expect(await rowOf('206 of 214')).toHaveTextContent('618');
  expect(await rowOf('Missed')).toHaveTextContent('Too late');
  expect(screen.getByText(/06:30 in Madrid is then 04:30 UTC/)).toBeInTheDocument();
  expect(screen.getByText('Parts missing: 12 of 50,000')).toBeInTheDocument();
  expect(screen.getByText(/1 other$/)).toBeInTheDocument();
});

test('upcoming runs pass while the page is open', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  signedInAs('admin');
  stubResponses();
  show();
  await screen.findAllByText('05:30');
  gateway.respond(`POST ${base}/forecast`, () =>
    success({ ...forecast, runs: ['2026-12-07T09:15:00.000Z'] }),
  );
  act(() => void vi.advanceTimersByTime(60_000));
  expect(await screen.findByText('09:15')).toBeInTheDocument();
  expect(screen.queryByText('05:30')).not.toBeInTheDocument();
});

test('changes saved by another person are shown, and are not overwritten by saving the changes made here', async () => {
  signedInAs('admin');
  stubResponses();
  const { user } = show();
  const name = await screen.findByDisplayValue('Meter clock sync');
  await user.type(name, ' 2');
  stubResponses({ ...schedule, name: 'Clocks', content: '#CLK;NOW' });
  window.dispatchEvent(new Event('visibilitychange'));
  expect(await screen.findByDisplayValue('#CLK;NOW')).toBeInTheDocument();
  expect(screen.getByDisplayValue('Meter clock sync 2')).toBeInTheDocument();
  gateway.respond(`POST ${base}/update`, () => success(schedule));
  await press(user, 'Save');
  await waitFor(() =>
    expect(bodyOf(`POST ${base}/update`)).toMatchObject({
      name: 'Meter clock sync 2',
      content: '#CLK;NOW',
    }),
  );
});

test('a conflicting save of another person is refetched, and the next save contains both changes', async () => {
  signedInAs('admin');
  stubResponses();
  const { user } = show();
  await user.type(await screen.findByDisplayValue('Meter clock sync'), ' 2');
  gateway.respond(`POST ${base}/update`, () => {
    stubResponses({ ...schedule, version: 4, content: '#CLK;NOW' });
    return errorResponse({ http: 409, code: 'CB-00-0409', message: 'Saved meanwhile' });
  });
  await press(user, 'Save');
  expect(await screen.findByDisplayValue('#CLK;NOW')).toBeInTheDocument();
  gateway.respond(`POST ${base}/update`, () => success(schedule));
  await press(user, 'Save');
  await waitFor(() =>
    expect(bodiesOf(`POST ${base}/update`)).toMatchObject([
      { version: 3, content: '#CLK;SYNC' },
      { version: 4, name: 'Meter clock sync 2', content: '#CLK;NOW' },
    ]),
  );
});

test('without the permission to send, nothing is scheduled by a shared link', async () => {
  signedInAs('user');
  stubResponses();
  renderScreen(<New />);
  expect(await screen.findByRole('button', { name: 'Save' })).toBeDisabled();
  expect(screen.getByRole('textbox', { name: /Name/ })).toBeDisabled();
});

test('a loading state is shown while a schedule is fetched', async () => {
  signedInAs('operator');
  gateway.respond(`GET ${base}/detail/7`, () => new Promise(() => undefined));
  show();
  await waitFor(() => expect(document.querySelector('[aria-busy="true"]')).not.toBeNull());
});

test('a schedule that could not be fetched can be retried', async () => {
  signedInAs('operator');
  stubResponses();
  gateway.respond(`GET ${base}/detail/7`, () =>
    errorResponse({ http: 400, code: 'CB-00-0400', message: 'Not now' }),
  );
  const { user } = show();
  expect(await screen.findByRole('alert')).toHaveTextContent('Not now');
  stubResponses();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByLabelText('Name')).toHaveValue(schedule.name);
});

test('groups that could not be fetched can be retried', async () => {
  signedInAs('admin');
  stubResponses();
  const groups = `GET ${base}/groups`;
  gateway.respond(groups, () =>
    errorResponse({ http: 403, code: 'CB-99-0403', message: 'Permission denied' }),
  );
  const { user } = show();
  expect(await screen.findByText('Permission denied')).toBeInTheDocument();
  gateway.respond(groups, () => success([{ id: '4', kind: 'email', name: 'Desk', addresses: 2, url: null }]));
  await press(user, 'Try again');
  await waitFor(() => expect(screen.queryByText('Permission denied')).toBeNull());
});

test('a time is added by its hour in the week, and saved without the SIMs', async () => {
  signedInAs('operator');
  stubResponses();
  gateway.respond(`POST ${base}/update`, () => success(schedule));
  const { user } = show();
  await user.click(await screen.findByLabelText(/^Add Thu 09:00\. .*88%/));
  await press(user, 'Save');
  await waitFor(() => expect(bodyOf(`POST ${base}/update`)).toBeDefined());
  expect(bodyOf(`POST ${base}/update`)).toEqual({
    scheduleId: '7',
    version: 3,
    name: schedule.name,
    content: schedule.content,
    when: {
      ...schedule.when,
      times: [...(schedule.when.mode === 'weekly' ? schedule.when.times : []), { day: 4, time: '09:00' }],
    },
    time_zone: 'Europe/Madrid',
    groupId: null,
    only_failures: false,
  });
});

test('the main action of a schedule is last, after the menu', async () => {
  signedInAs('operator');
  stubResponses();
  show();
  const menu = await screen.findByRole('button', { name: 'Actions for Meter clock sync' });
  expect(menu.nextElementSibling).toBe(screen.getByRole('button', { name: 'Save' }));
});

test('a one-time schedule can not be edited while it runs, and no schedule can be deleted then', async () => {
  signedInAs('operator');
  stubResponses({ ...schedule, when: { mode: 'once', at: '2026-11-23T06:30' }, in_progress: true });
  const { user } = show();
  expect(await screen.findByLabelText('Name')).toBeDisabled();
  // In the facts, and in words beside the field.
  expect(await screen.findAllByText('Nov 23, 2026, 06:30')).toHaveLength(2);
  await user.click(screen.getByRole('button', { name: 'Actions for Meter clock sync' }));
  const removal = await screen.findByRole('menuitem', { name: /^Delete/ });
  expect(removal).toHaveAttribute('aria-disabled', 'true');
  expect(removal).toHaveTextContent('not while a run is in progress');
});

test.each([
  ['enabled', true],
  ['ended', false],
] as const)('one that is %s can be disabled: %s', async (state, offered) => {
  signedInAs('operator');
  stubResponses({ ...schedule, state, next_run_at: state === 'ended' ? null : schedule.next_run_at });
  show();
  expect(await screen.findByText('Save')).toBeInTheDocument();
  expect(screen.queryByText('Disable') !== null).toBe(offered);
});

test('changes of a schedule are described in words', async () => {
  signedInAs('admin');
  stubResponses();
  gateway.respond(`GET ${base}/7/log`, () =>
    success(
      [
        {
          number: 2,
          at: run.run_at,
          action: 'schedule.changed',
          actor: { kind: 'person', name: 'Ada Marsh' },
          before: {
            mode: 'once',
            run_at: '2026-11-19T03:00',
            times: ['1 06:30'],
            last_day: '2027-03-31',
            only_failures: true,
            group: 'Desk',
            sims: 213,
          },
          after: {
            mode: 'weekly',
            run_at: null,
            times: ['1 06:30', '5 18:00'],
            last_day: null,
            only_failures: false,
            group: null,
            sims: 1213,
            sims_added: 1200,
          },
        },
      ],
      { total_count: 1 },
    ),
  );
  show({ id: '7', tab: 'log' });
  expect((await screen.findByText(/Times of the week/)).textContent).toBe(
    'When: Once → Weekly; Date and time: Nov 19, 2026, 03:00 → —; Times of the week: Mon 06:30 → Mon 06:30, Fri 18:00; Until: Mar 31, 2027 → —; Only when something failed: Yes → No; Mail a report to: Desk → nobody; SIMs: 213 → 1,213; SIMs added: 1,200',
  );
});

test('without the permission to send, nothing can be changed', async () => {
  signedInAs('user');
  stubResponses();
  show();
  expect(await screen.findByLabelText('Name')).toBeDisabled();
  expect(screen.queryByText('Save')).toBeNull();
  // Only people who may send can ask who is reached: for others the stored number is shown, and no share online is invented.
  const [time] = await screen.findAllByText('05:30');
  expect(time?.closest('tr')).toHaveTextContent(/06:3005:30214$/);
  expect(bodiesOf(`POST ${base}/audience`)).toEqual([]);
  expect(screen.getByRole('button', { name: 'Add Thu 09:00' })).toBeDisabled();
  expect(screen.getByText(/^Your role has no permission to schedule SMS/)).toBeInTheDocument();
});

test('without the permission to send, the form of a new schedule says why it is disabled', async () => {
  signedInAs('user');
  stubResponses();
  renderScreen(<New />);
  expect(await screen.findByText(/^Your role has no permission to schedule SMS/)).toBeInTheDocument();
  expect(screen.getByLabelText('Name')).toBeDisabled();
});

test('a message started elsewhere is scheduled with its text and its filter', async () => {
  signedInAs('operator');
  stubResponses();
  gateway.respond(`POST ${base}`, () =>
    errorResponse({ http: 409, code: 'CB-04-0010', message: 'There are no upcoming runs' }),
  );
  const selection = { filter: { tags: ['berlin'] } };
  const { user } = renderScreen(<New />, newScheduleHref('en-US', { selection, content: '#STAT' }));
  expect(await screen.findByLabelText('Text')).toHaveValue('#STAT');
  expect(await screen.findByText('1 SIM that matches the filter now')).toBeInTheDocument();
  await press(user, 'Edit');
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByText('Choose others'));
  await user.click(dialog.getByText('Use these SIMs'));
  await user.click(screen.getByLabelText('Name'));
  await user.paste('Nightly');
  await user.click(screen.getByLabelText(/^Add Mon 09:00/));
  await press(user, 'Save');
  await waitFor(() =>
    expect(bodyOf(`POST ${base}`)).toMatchObject({
      content: '#STAT',
      selection: { filter: { lifecycle: ['active'] } },
    }),
  );
});

test('saving a new schedule again after a lost response does not create a second one', async () => {
  signedInAs('operator');
  stubResponses();
  gateway.respond(`POST ${base}`, () => Response.error());
  const selection = { iccids: [iccid] };
  const { user } = renderScreen(<New />, newScheduleHref('en-US', { selection, content: '#STAT' }));
  await user.click(await screen.findByLabelText('Name'));
  await user.paste('Nightly');
  await user.click(screen.getByLabelText(/^Add Mon 09:00/));
  const saved = () => gateway.sent.filter(({ method, path }) => `${method} ${path}` === `POST ${base}`);
  for (const times of [1, 2]) {
    await press(user, 'Save');
    await waitFor(() => expect(saved()).toHaveLength(times));
    await waitFor(() => expect(screen.getByLabelText('Name')).toBeEnabled());
  }
  expect(screen.getByRole('alert')).toHaveTextContent(/Nothing you entered is lost: please try again/);
  expect(screen.getByLabelText('Name')).toHaveValue('Nightly');
  const [first, second] = saved().map(({ headers }) => headers.get('idempotency-key'));
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(second).toBe(first);
});

test('a new schedule reports missing fields, and is sent with its SIMs', async () => {
  signedInAs('operator');
  stubResponses();
  stubSims(iccid);
  gateway.respond(`POST ${base}`, () =>
    errorResponse({ http: 409, code: 'CB-04-0010', message: 'There are no upcoming runs' }),
  );
  const { user } = renderScreen(<New />);
  expect(await screen.findByText('Click in the week to add a time.')).toBeInTheDocument();
  expect(screen.getByText(/^Once times are set/)).toBeInTheDocument();
  await press(user, 'Save');
  expect(screen.getAllByRole('alert')).toHaveLength(4);
  await waitFor(() => expect(screen.getByLabelText('Name')).toHaveFocus());
  expect(screen.getByLabelText('Name')).toBeInvalid();
  expect(screen.getByText('Add at least one time in the week')).toBeInTheDocument();
  expect(bodyOf(`POST ${base}`)).toBeUndefined();
  await user.click(screen.getByLabelText('Name'));
  await user.paste('Nightly');
  await user.click(screen.getByLabelText('Text'));
  await user.paste('–'.repeat(71));
  // Before there are times to request a forecast for.
  expect(screen.getByText('71 of 140 characters')).toBeInTheDocument();
  expect(screen.getByText('UCS-2, 2 parts')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Use “-”: GSM-7, 1 part' }));
  expect(screen.getByLabelText('Text')).toHaveValue('-'.repeat(71));
  await user.clear(screen.getByLabelText('Text'));
  await user.paste('#STAT');
  await press(user, 'Edit');
  const dialog = await screen.findByRole('dialog');
  await user.click(within(dialog).getByLabelText('ICCIDs of the recipients'));
  // By its IMSI, as in a message that is sent immediately.
  await user.paste('214050000000001, 214050000000001');
  await waitFor(() => expect(within(dialog).getByRole('button', { name: 'Use these SIMs' })).toBeEnabled());
  await user.click(within(dialog).getByText('Use these SIMs'));
  await user.click(await screen.findByLabelText(/^Add Mon 09:00/));
  const time = screen.getByLabelText('Time on Mon, 09:00');
  await user.clear(time);
  await user.type(time, '15:20');
  await press(user, 'Save');
  await waitFor(() =>
    expect(bodyOf(`POST ${base}`)).toMatchObject({
      name: 'Nightly',
      when: { mode: 'weekly', times: [{ day: 1, time: '15:20' }], until: null },
      selection: { iccids: [iccid] },
    }),
  );
  expect(await screen.findByRole('alert')).toHaveTextContent('There are no upcoming runs');
});
