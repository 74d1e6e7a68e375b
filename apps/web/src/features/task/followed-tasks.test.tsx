import type { LiveEventName } from '@simcube/contract';
import type { Task } from '@simcube/contract/task';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { Toaster } from '../../app/toaster.tsx';
import { followTask, isFollowed, unfollowTask } from '../../lib/followed-tasks/index.ts';
import { errorResponse, stubGateway, success } from '../../testing/gateway.ts';
import { signedInAs } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { FollowedTasks, type ItemViews, useTaskUpdates } from './index.ts';

const handlers = vi.hoisted(() => new Map<string, (data: unknown) => void>());
// The stream has its own tests; here the test controls it.
vi.mock('../../lib/live/index.ts', () => ({
  useLive: (name: LiveEventName, handler: (data: unknown) => void) => handlers.set(name, handler),
}));

const gateway = stubGateway();
const reference = 'T00000012';
const own = `GET /job-service/rest/job/my/${reference}`;

const task = (changes: Partial<Task> = {}): Task => ({
  reference_id: reference,
  type: 'sim-suspend',
  quantity: 12,
  done: 0,
  remark: null,
  status: 'processing',
  started_at: '2026-11-21T12:00:00.000Z',
  ended_at: null,
  elapsed_seconds: 0,
  result: null,
  item_kind: 'meter',
  report: null,
  undoable: false,
  undone_by: null,
  undoes: null,
  ...changes,
});
const ended = (changes: Partial<Task> = {}): Task =>
  task({
    status: 'done',
    done: 12,
    ended_at: '2026-11-21T12:00:04.000Z',
    result: { accepted: 12, duplicate: 0, refused: 0 },
    report: { file_name: 'suspend', bytes: null },
    undoable: true,
    ...changes,
  });

/** A kind that no module has: its phrases are borrowed. */
const views: ItemViews = {
  meter: {
    title: 'sim.columns.notes',
    label: 'sim.columns.msisdn',
    permission: 'sim',
    path: (label) => `meters/${label}`,
    list: { label: 'sim.columns.iccid', path: (of) => `meters?task=${of}` },
  },
};

const TaskUpdates = () => {
  useTaskUpdates();
  return null;
};
const show = (of: { reference_id: string; quantity: number } = { reference_id: reference, quantity: 12 }) => {
  const shown = renderScreen(
    <>
      <button type="button">{'Page'}</button>
      <TaskUpdates />
      <FollowedTasks itemViews={views} />
      <Toaster />
    </>,
  );
  act(() => followTask(of));
  return shown;
};
const emitProgress = (changes: object) =>
  act(async () =>
    handlers.get('task.progress')?.({
      id: reference,
      userId: 'user-1',
      type: 'sim-suspend',
      status: 'processing',
      done: 0,
      quantity: 12,
      ...changes,
    }),
  );
const region = () => screen.getByRole('region', { name: 'Notifications (F8)' });

beforeEach(() => {
  signedInAs('operator');
  for (const followed of [reference, 'T00000013']) unfollowTask(followed);
  gateway.respond(own, () => success(task()));
  gateway.respond('GET /job-service/rest/job/my', () => success([], { total_count: 0 }));
});

test('a first response from before the end that arrives after its event is refetched', async () => {
  let arrive = (): void => undefined;
  const late = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  let requestCount = 0;
  gateway.respond(own, async () => {
    requestCount += 1;
    if (requestCount > 1) return success(ended());
    await late;
    return success(task());
  });
  show();
  await waitFor(() => expect(requestCount).toBe(1));
  await emitProgress({ status: 'done', done: 12 });
  arrive();
  expect(await screen.findByText('Suspend SIMs T00000012 is done.')).toBeInTheDocument();
});

test('a started task shows its live progress, then its result, in one toast', async () => {
  show();
  const message = await screen.findByText('Suspend SIMs T00000012 is in progress.');
  expect(message.closest('[role=status]')).toBeInTheDocument();
  const bar = screen.getByRole('progressbar', { name: 'Suspend SIMs T00000012 is in progress.' });
  expect(bar).toHaveAttribute('value', '0');
  await emitProgress({ done: 5 });
  expect(await screen.findByText('5 of 12')).toBeInTheDocument();
  expect(bar).toHaveAttribute('value', '5');
  expect(screen.getByRole('link', { name: 'Open' })).toHaveAttribute(
    'href',
    `/en-US/taskcenter?task=${reference}`,
  );
  gateway.respond(own, () =>
    success(ended({ status: 'issues', result: { accepted: 10, duplicate: 0, refused: 2 } })),
  );
  await emitProgress({ status: 'issues', done: 12 });
  expect(await screen.findByText('10 done, 2 refused')).toBeInTheDocument();
  expect(screen.getByText(/finished with issues/)).toBeInTheDocument();
  expect(screen.queryByRole('progressbar')).toBeNull();
  expect(within(region()).getAllByRole('button', { name: 'Dismiss' })).toHaveLength(1);
});

test('a task about one SIM speaks of one, without counting it', async () => {
  gateway.respond(own, () => success(task({ type: 'sim-transfer', quantity: 1 })));
  show({ reference_id: reference, quantity: 1 });
  expect(await screen.findByText('Transfer SIM T00000012 is in progress.')).toBeInTheDocument();
  expect(screen.queryByRole('progressbar')).toBeNull();
  const result = { accepted: 1, duplicate: 0, refused: 0 };
  gateway.respond(own, () => success(ended({ type: 'sim-transfer', quantity: 1, done: 1, result })));
  await emitProgress({ type: 'sim-transfer', status: 'done', quantity: 1, done: 1 });
  expect(await screen.findByText('Transfer SIM T00000012 is done.')).toBeInTheDocument();
  expect(screen.queryByText(/1 done/)).toBeNull();
});

test('links to its items and its report, and undoes it', async () => {
  gateway.respond(own, () => success(ended()));
  gateway.respond(`POST /job-service/rest/job/my/${reference}/undo`, () => {
    gateway.respond(own, () => success(ended({ undoable: false, undone_by: 'T00000013' })));
    return success({ reference_id: 'T00000013', quantity: 12 });
  });
  gateway.respond('GET /job-service/rest/job/my/T00000013', () =>
    success(ended({ reference_id: 'T00000013', type: 'sim-undo', undoes: reference })),
  );
  const { user } = show();
  expect(await screen.findByText('12 done')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'ICCID' })).toHaveAttribute(
    'href',
    `/en-US/meters?task=${reference}`,
  );
  expect(screen.getByRole('button', { name: 'Download' })).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Undo changes T00000013 is done.')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Redo' })).toBeInTheDocument();
  expect(screen.queryByText(/T00000012/)).toBeNull();
  expect([isFollowed(reference), isFollowed('T00000013')]).toEqual([false, true]);
  // The clicked button is gone; its replacement has the focus.
  expect(region()).toContainElement(document.activeElement as HTMLElement);
});

test('reports why it could not be undone, and no longer offers it', async () => {
  gateway.respond(own, () => success(ended()));
  gateway.respond(`POST /job-service/rest/job/my/${reference}/undo`, () => {
    gateway.respond(own, () => success(ended({ undoable: false, undone_by: 'T00000013' })));
    return errorResponse({ http: 409, code: 'CB-09-0024', message: 'This task has already been undone.' });
  });
  const { user } = show();
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('This task has already been undone.');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull());
});

test('is no longer followed once it is dismissed, and its end is announced separately', async () => {
  const { user } = show();
  await screen.findByText(/is in progress/);
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(isFollowed(reference)).toBe(false);
  await emitProgress({ status: 'done', done: 12 });
  expect(await screen.findByText(/T00000012 is done/)).toBeInTheDocument();
});

test('the end of a task that arrives before its acceptance uses the same toast', async () => {
  show();
  await screen.findByText(/is in progress/);
  act(() => unfollowTask(reference));
  gateway.respond(own, () => success(ended()));
  await emitProgress({ status: 'done', done: 12 });
  expect(await screen.findByText(/Suspend SIMs T00000012 is done/)).toBeInTheDocument();
  act(() => followTask({ reference_id: reference, quantity: 12 }));
  expect(await screen.findByText(/12 done/)).toBeInTheDocument();
  expect(within(region()).getAllByText(/Suspend SIMs T00000012 is done\./)).toHaveLength(1);
});

test('a task of another organisation is dropped', async () => {
  gateway.respond(own, () => errorResponse({ http: 404, code: 'CB-09-0012' }));
  show();
  await waitFor(() => expect(isFollowed(reference)).toBe(false));
  expect(screen.queryByText(/T00000012/)).toBeNull();
});

test('toasts are focused by a key, and restore the focus', async () => {
  const { user } = show();
  await screen.findByText(/is in progress/);
  screen.getByRole('button', { name: 'Page' }).focus();
  await user.keyboard('{F8}');
  expect(screen.getByRole('link', { name: 'Open' })).toHaveFocus();
  await user.tab();
  expect(screen.getByRole('link', { name: 'ICCID' })).toHaveFocus();
  await user.tab();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.getByRole('button', { name: 'Page' })).toHaveFocus());
});
