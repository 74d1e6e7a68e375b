import type { LiveEventName } from '@simcube/contract';
import type { Task } from '@simcube/contract/task';
import { act, renderHook, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { durationText } from '../../lib/format/index.ts';
import { useToasts } from '../../lib/toast/index.ts';
import { stubGateway, success } from '../../testing/gateway.ts';
import { signedInAs } from '../../testing/people.ts';
import { renderScreen, useAddress } from '../../testing/render-screen.tsx';
import type { TaskUpdate } from './api/use-task-updates.ts';
import { useProcessingTasks, useTaskUpdates } from './index.ts';
import { TaskCentreScreen } from './screens.ts';
import { taskSearch } from './search.ts';

const handlers = vi.hoisted(() => new Map<string, (data: unknown) => void>());
// The stream has its own tests; here the test controls it.
vi.mock('../../lib/live/index.ts', () => ({
  useLive: (name: LiveEventName, handler: (data: unknown) => void) => handlers.set(name, handler),
}));

const gateway = stubGateway();
const call = 'GET /job-service/rest/job/my';

const task = (changes: Partial<Task> = {}): Task => ({
  reference_id: 'T00000012',
  type: 'sim-import',
  item_kind: null,
  quantity: 20_000,
  done: 0,
  remark: 'sims.csv',
  status: 'processing',
  started_at: '2026-11-21T12:00:00.000Z',
  ended_at: null,
  elapsed_seconds: 0,
  result: null,
  report: null,
  undoable: false,
  undone_by: null,
  undoes: null,
  ...changes,
});

const emitProgress = (changes: Partial<TaskUpdate> = {}) =>
  act(async () =>
    handlers.get('task.progress')?.({
      id: 'T00000012',
      userId: 'user-1',
      type: 'sim-import',
      status: 'processing',
      done: 0,
      quantity: 20_000,
      ...changes,
    }),
  );

const Shell = () => {
  useTaskUpdates();
  return (
    <>
      <output aria-label="processing">{useProcessingTasks()}</output>
      <TaskCentreScreen {...useAddress(taskSearch)} itemViews={{}} />
    </>
  );
};

const show = () => renderScreen(<Shell />);

const toasts = () => renderHook(() => useToasts()).result.current.map(({ kind, text }) => ({ kind, text }));

let tasks: Task[];
beforeEach(() => {
  signedInAs('user');
  tasks = [task()];
  gateway.respond(call, ({ query }) => {
    const status = query.get('status');
    const found = tasks.filter((one) => status === null || one.status === status);
    return success(found, { total_count: found.length, as_of: '2026-11-21T12:02:00.000Z' });
  });
});

test('progress updates the list, and the end is announced once', async () => {
  show();
  expect((await screen.findAllByText('0 of 20,000')).length).toBeGreaterThan(0);
  expect(screen.getByLabelText('processing')).toHaveTextContent('1');
  const requestCount = gateway.sent.length;
  await emitProgress({ done: 10_000 });
  expect((await screen.findAllByText('10,000 of 20,000')).length).toBeGreaterThan(0);
  expect(gateway.sent).toHaveLength(requestCount);
  const result = { accepted: 19_000, duplicate: 1000, refused: 0 };
  tasks = [
    task({ status: 'done', done: 20_000, ended_at: '2026-11-21T12:01:30.000Z', elapsed_seconds: 90, result }),
  ];
  await emitProgress({ status: 'done', done: 20_000 });
  await emitProgress({ status: 'done', done: 20_000 });
  expect(toasts()).toEqual([{ kind: 'success', text: 'SIM import T00000012 is done.' }]);
  expect(await screen.findByText('19,000 accepted · 1,000 duplicates')).toBeInTheDocument();
  expect(screen.getByText('0:01:30')).toBeInTheDocument();
  expect(screen.getByText('Nov 21, 12:01:30', { selector: 'td *' })).toBeInTheDocument();
  expect(screen.getByText('Done', { selector: 'td *' })).toBeInTheDocument();
  expect(screen.getByLabelText('processing')).toHaveTextContent('0');
});

test('reports are downloaded from the menu of a row, by item in either format', async () => {
  const saved: string[] = [];
  URL.createObjectURL = () => 'blob:report';
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  const ended = { status: 'done', ended_at: '2026-11-21T12:01:30.000Z' } as const;
  tasks = [
    task({ ...ended, report: { file_name: 'sims-T00000012', bytes: null } }),
    task({ ...ended, reference_id: 'T00000013', report: { file_name: 'sims.csv', bytes: 2048 } }),
    task({ reference_id: 'T00000014' }),
  ];
  gateway.respond('GET /job-service/rest/job/my/oneTimeToken', ({ query }) =>
    success({ token: `once_${query.get('format')}_0123456789abcdef` }),
  );
  for (const { reference_id: reference } of tasks) {
    gateway.respond(
      `GET /public-sphere/rest/job/${reference}/download`,
      () => new Response('a', { headers: { 'content-disposition': `attachment; filename="${reference}"` } }),
    );
  }
  const { user } = show();
  await user.click(await screen.findByRole('button', { name: 'Report of task T00000012' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Download report (Excel (XLSX))' }));
  await waitFor(() => expect(saved).toEqual(['T00000012']));
  await user.click(screen.getByRole('button', { name: 'Report of task T00000013' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Download report' }));
  await waitFor(() => expect(saved).toEqual(['T00000012', 'T00000013']));
  const formats = gateway.sent.flatMap(({ path, query }) =>
    path.endsWith('/oneTimeToken') ? [query.get('format')] : [],
  );
  expect(formats).toEqual(['xlsx', 'csv']);
  expect(screen.queryByRole('button', { name: 'Report of task T00000014' })).toBeNull();
});

test('a new task of the person appears; one of a colleague causes no request', async () => {
  tasks = [];
  show();
  expect(await screen.findByText('No tasks in the last 7 days')).toBeInTheDocument();
  const requestCount = gateway.sent.length;
  await emitProgress({ userId: 'user-2', status: 'issues' });
  expect(gateway.sent).toHaveLength(requestCount);
  expect(toasts()).toEqual([]);
  tasks = [task()];
  await emitProgress();
  expect(await screen.findByText('T00000012')).toBeInTheDocument();
  await emitProgress({ status: 'issues' });
  expect(toasts()).toEqual([{ kind: 'warning', text: 'SIM import T00000012 finished with issues.' }]);
});

test('elapsed time is hours, minutes and seconds', () => {
  expect([0, 59, 90, 3600, 90_061].map(durationText)).toEqual([
    '0:00:00',
    '0:00:59',
    '0:01:30',
    '1:00:00',
    '25:01:01',
  ]);
});

test('the header says how many tasks there are, and the counts by status filter them', async () => {
  tasks = [task(), task({ reference_id: 'T00000013', status: 'issues' })];
  const { user } = show();
  const counts = within(await screen.findByRole('group', { name: 'Tasks by status' }));
  await waitFor(() =>
    expect(counts.getAllByRole('button').map(({ textContent }) => textContent?.split(' '))).toEqual([
      ['All', '2'],
      ['Processing', '1'],
      ['Done', '0'],
      ['Issues', '1'],
    ]),
  );
  expect(screen.getByRole('banner')).toHaveTextContent(/2 · as of .*last 7 days/);
  await user.click(counts.getByRole('button', { name: /^Issues/ }));
  await waitFor(() => expect(screen.queryByText('T00000012')).not.toBeInTheDocument());
  expect(screen.getByText('T00000013')).toBeInTheDocument();
});
