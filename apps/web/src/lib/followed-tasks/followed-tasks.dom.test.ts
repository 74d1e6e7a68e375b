import { act, renderHook } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { signedInAs } from '../../testing/people.ts';

const load = async () => {
  vi.resetModules();
  const { session } = await import('../session/index.ts');
  return { session, ...(await import('./index.ts')) };
};

const task = (number: number) => ({ reference_id: `T0000000${number}`, quantity: number });

beforeEach(() => {
  sessionStorage.clear();
  signedInAs('admin');
});

test('the newest tasks are followed, at most as many as toasts, each once', async () => {
  const { followTask, unfollowTask, useFollowedTasks, isFollowed } = await load();
  const { result } = renderHook(() => useFollowedTasks());
  act(() => {
    for (const number of [1, 2, 3, 2, 4]) followTask(task(number));
  });
  expect(result.current).toEqual([task(3), task(2), task(4)]);
  act(() => unfollowTask('T00000002'));
  expect(result.current).toEqual([task(3), task(4)]);
  expect([isFollowed('T00000003'), isFollowed('T00000002')]).toEqual([true, false]);
});

test('followed tasks survive a reload, for the same person in the same organisation only', async () => {
  (await load()).followTask(task(1));
  const reloaded = await load();
  expect(reloaded.isFollowed('T00000001')).toBe(true);
  reloaded.session.set('partnerCode', 'other');
  expect(reloaded.isFollowed('T00000001')).toBe(false);
  reloaded.session.set('partnerCode', 'ACME');
  expect(reloaded.isFollowed('T00000001')).toBe(true);
  reloaded.session.set('userId', 'user-2');
  expect(reloaded.isFollowed('T00000001')).toBe(false);
});

test('tasks are shown again after others were followed in another organisation', async () => {
  const { session, followTask } = await load();
  followTask(task(1));
  session.set('partnerCode', 'other');
  followTask(task(2));
  const back = await load();
  back.session.set('partnerCode', 'ACME');
  expect([back.isFollowed('T00000001'), back.isFollowed('T00000002')]).toEqual([true, false]);
});

test('stored data that is not a list of tasks is ignored', async () => {
  sessionStorage.setItem('simcube.tasks.followed', '{"owner":1}');
  expect((await load()).isFollowed('T00000001')).toBe(false);
  sessionStorage.setItem('simcube.tasks.followed', 'no json');
  expect((await load()).isFollowed('T00000001')).toBe(false);
});
