import type { LiveEventName } from '@simcube/contract';
import type { Task, TaskItem } from '@simcube/contract/task';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { isFollowed, unfollowTask } from '../../lib/followed-tasks/index.ts';
import { errorResponse, stubGateway, success } from '../../testing/gateway.ts';
import { signedInAs } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { useTaskUpdates } from './api/use-task-updates.ts';
import type { ItemView, ItemViews } from './item-view.ts';
import { TaskDrawer } from './task-drawer.tsx';

const handlers = vi.hoisted(() => new Map<string, (data: unknown) => void>());
// The stream has its own tests; here the test controls it.
vi.mock('../../lib/live/index.ts', () => ({
  useLive: (name: LiveEventName, handler: (data: unknown) => void) => handlers.set(name, handler),
}));

const gateway = stubGateway();
const reference = 'T00000012';
const own = `GET /job-service/rest/job/my/${reference}`;
const results = `GET /job-service/rest/logs/provider/result/${reference}`;

const task = (changes: Partial<Task> = {}): Task => ({
  reference_id: reference,
  type: 'sim-suspend',
  quantity: 3,
  done: 3,
  remark: null,
  status: 'issues',
  started_at: '2026-11-21T12:00:00.000Z',
  ended_at: '2026-11-21T12:01:30.000Z',
  elapsed_seconds: 90,
  result: { accepted: 2, duplicate: 0, refused: 1 },
  item_kind: 'meter',
  report: { file_name: 'suspend-T00000012', bytes: null },
  undoable: false,
  undone_by: null,
  undoes: null,
  ...changes,
});
const item = (position: number, changes: Partial<TaskItem> = {}): TaskItem => ({
  position,
  label: `meter ${position}`,
  own: true,
  state: 'done',
  code: null,
  message: null,
  ...changes,
});
const refused = item(3, { own: false, state: 'refused', code: 'CB-01-0013', message: 'SIM in process' });
const itemRequests = () => gateway.sent.filter(({ path }) => path.endsWith(`result/${reference}`));

/** An unknown kind with borrowed phrases. */
let views: ItemViews;
const meters: ItemView = {
  title: 'sim.columns.notes',
  label: 'sim.columns.msisdn',
  permission: 'sim',
  path: (label) => `meters/${encodeURIComponent(label)}`,
  list: { label: 'sim.columns.iccid', path: (task) => `meters?task=${task}` },
};
/** The link of each item's label. */
const hrefs = () =>
  [...document.querySelectorAll('li')].map((one) => one.querySelector('a')?.getAttribute('href') ?? null);

const Drawer = () => {
  useTaskUpdates();
  return <TaskDrawer itemViews={views} onClose={() => undefined} reference={reference} />;
};
const show = () => renderScreen(<Drawer />);

const saved: string[] = [];
beforeEach(() => {
  signedInAs('operator');
  unfollowTask('T00000013');
  views = { meter: meters };
  saved.length = 0;
  URL.createObjectURL = () => 'blob:report';
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  gateway.respond(own, () => success(task()));
  gateway.respond(results, () => success([item(1), item(2, { own: false }), refused], { total_count: 3 }));
});

test('shows how it ended, and the outcome and reason of each item', async () => {
  show();
  expect(await screen.findByText('Suspend SIMs')).toBeInTheDocument();
  expect(screen.getByText('Issues')).toBeInTheDocument();
  expect(screen.getByText('Started').nextSibling).toHaveTextContent('Nov 21, 2026, 12:00:00 UTC');
  expect(screen.getByText('Ended').nextSibling).toHaveTextContent('Nov 21, 2026, 12:01:30 UTC');
  expect(screen.getByText('0:01:30')).toBeInTheDocument();
  expect(screen.getByText('2 accepted · 1 refused')).toBeInTheDocument();
  const why = await screen.findByText('SIM in process');
  expect(why).toHaveTextContent('SIM in process CB-01-0013');
  expect(screen.getAllByText('3 of 3').length).toBeGreaterThan(0);
  expect(await screen.findByRole('region', { name: 'Notes' })).toBeInTheDocument();
  expect(hrefs()).toEqual(['/en-US/meters/meter%201', null, null]);
});

test('shows items of one state, and more on demand', async () => {
  const { user } = show();
  await screen.findByText('SIM in process');
  gateway.respond(results, ({ query }) =>
    query.get('cursor') === 'next'
      ? success([item(4, { state: 'refused', message: 'SIM does not exist.', code: 'CB-01-0001' })], {
          total_count: 2,
        })
      : success([refused], { total_count: 2, next_cursor: 'next' }),
  );
  await user.click(screen.getByText('Refused', { selector: 'label *' }));
  await waitFor(() => expect(itemRequests().at(-1)?.query.get('state')).toBe('refused'));
  await user.click(await screen.findByText('Load more'));
  expect(await screen.findByText('SIM does not exist.')).toBeInTheDocument();
  expect(screen.getByText('SIM in process')).toBeInTheDocument();
  expect(screen.getByText('2 of 2')).toBeInTheDocument();
  expect(screen.queryByText('Load more')).toBeNull();
});

test('is updated automatically, and refetches its items at the end', async () => {
  gateway.respond(own, () =>
    success(task({ status: 'processing', done: 0, ended_at: null, result: null, report: null })),
  );
  gateway.respond(results, () => success([item(1, { state: 'waiting' })], { total_count: 3 }));
  show();
  expect((await screen.findAllByText('0 of 3')).length).toBeGreaterThan(0);
  expect(screen.queryByText('Download report')).toBeNull();
  const update = { id: reference, userId: 'user-1', type: 'sim-suspend', quantity: 3 };
  gateway.respond(results, () => success([item(1)], { total_count: 3 }));
  await act(async () => handlers.get('task.progress')?.({ ...update, status: 'processing', done: 2 }));
  expect((await screen.findAllByText('2 of 3')).length).toBeGreaterThan(0);
  const list = screen.getByRole('region', { name: 'Notes' });
  await waitFor(() => expect(within(list).getByRole('listitem')).toHaveTextContent('Done'));
  gateway.respond(own, () => success(task()));
  gateway.respond(results, () => success([item(1), item(2), refused], { total_count: 3 }));
  await act(async () => handlers.get('task.progress')?.({ ...update, status: 'issues', done: 3 }));
  expect(await screen.findByText('SIM in process')).toBeInTheDocument();
  expect(await screen.findByText('Download report')).toBeInTheDocument();
});

test('the report is fetched with a token that works once, in a header', async () => {
  gateway.respond(own, () =>
    success(task({ type: 'sim-export', report: { file_name: 'sims.csv', bytes: 2048 } })),
  );
  gateway.respond('GET /job-service/rest/job/my/oneTimeToken', () =>
    success({ token: 'once_0123456789abcdefghij' }),
  );
  gateway.respond(
    `GET /public-sphere/rest/job/${reference}/download`,
    () => new Response('a', { headers: { 'content-disposition': 'attachment; filename="sims.csv"' } }),
  );
  const { user } = show();
  expect((await screen.findByText('sims.csv')).textContent).toBe('sims.csv · 2\u00a0KB');
  await user.click(screen.getByText('Download report'));
  await waitFor(() => expect(saved).toEqual(['sims.csv']));
  const fetched = gateway.sent.find(({ path }) => path.endsWith('/download'));
  expect([...(fetched?.headers.values() ?? [])]).toContain('once_0123456789abcdefghij');
  expect(String(fetched?.query)).toBe('');
});

test('an expired task, or one of another person, is reported as missing', async () => {
  gateway.respond(own, () => errorResponse({ http: 404, code: 'CB-09-0012' }));
  show();
  expect(await screen.findByText('This is not one of your tasks')).toBeInTheDocument();
  expect(screen.queryByText('Try again')).toBeNull();
});

test('failures of the task and of its items are shown in place and can be retried', async () => {
  gateway.respond(own, () => errorResponse({ http: 500, code: 'CB-99-0500', message: 'It broke.' }));
  gateway.respond(results, () => errorResponse({ http: 500, code: 'CB-99-0500', message: 'No list.' }));
  const { user } = show();
  await screen.findByText('It broke.');
  gateway.respond(own, () => success(task()));
  await user.click(screen.getByText('Try again'));
  await screen.findByText('No list.');
  gateway.respond(results, () => success([], { total_count: 0 }));
  await user.click(screen.getByText('Try again'));
  expect(await screen.findByText('No items to show')).toBeInTheDocument();
});

test('items of an unknown kind are shown as well', async () => {
  views = {};
  show();
  expect(await screen.findByRole('region', { name: 'Items of this task' })).toBeInTheDocument();
  expect(await screen.findByText('meter 1')).toBeInTheDocument();
  expect(hrefs()).toEqual([null, null, null]);
});

test('a task without items requests none', async () => {
  gateway.respond(own, () => success(task({ type: 'sim-export', item_kind: null })));
  show();
  expect(await screen.findByText('This task has no individual items')).toBeInTheDocument();
  expect(itemRequests()).toEqual([]);
});

test('links to its items in their list, for people who may see it', async () => {
  show();
  expect(await screen.findByRole('link', { name: 'ICCID' })).toHaveAttribute(
    'href',
    `/en-US/meters?task=${reference}`,
  );
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

test('is undone after confirmation, by a task that is followed', async () => {
  gateway.respond(own, () => success(task({ undoable: true })));
  gateway.respond('POST /job-service/rest/job/my/T00000012/undo', () => {
    gateway.respond(own, () => success(task({ undone_by: 'T00000013' })));
    return success({ reference_id: 'T00000013', quantity: 2 });
  });
  const { user } = show();
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  const confirmation = (await screen.findAllByText('Undo task T00000012?'))[0]?.closest<HTMLElement>(
    '.ant-modal',
  );
  if (!confirmation) throw new Error('No confirmation');
  expect(confirmation).toHaveTextContent('Values changed since then are left as they are.');
  expect(gateway.sent.some(({ path }) => path.endsWith('/undo'))).toBe(false);
  await user.click(within(confirmation).getByRole('button', { name: 'Undo' }));
  expect(await screen.findByRole('link', { name: 'T00000013' })).toHaveAttribute(
    'href',
    '/en-US/taskcenter?task=T00000013',
  );
  expect(isFollowed('T00000013')).toBe(true);
});

test('that undoes another names it, and offers to do it again', async () => {
  gateway.respond(own, () =>
    success(task({ type: 'sim-undo', remark: 'T00000011', undoes: 'T00000011', undoable: true })),
  );
  show();
  expect(await screen.findByRole('link', { name: 'T00000011' })).toBeInTheDocument();
  expect(screen.getByText('Undoes')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Redo' })).toBeInTheDocument();
});
