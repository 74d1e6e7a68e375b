import { limits } from '@simcube/contract';
import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import { session } from '../session/index.ts';
import { createListeners } from '../store/index.ts';

/** A task that was accepted here, as the server returned it. */
export interface FollowedTask {
  reference_id: string;
  quantity: number;
}

/**
 * Tasks whose progress and end are shown on every page; the newest ones, limited by the number of toasts. Stored per tab, survive
 * reloads, and belong to a person in an organisation: after a switch to another one and back, they are shown again.
 */
const name = 'simcube.tasks.followed';
const storedSchema = z.record(
  z.string(),
  z.array(z.object({ reference_id: z.string(), quantity: z.number() })),
);

const owner = (): string => `${session.get('userId') ?? ''}/${session.get('partnerCode') ?? ''}`;

const none: readonly FollowedTask[] = [];
let followed: Readonly<Record<string, readonly FollowedTask[]>> | undefined;
const { subscribe, notify } = createListeners();

const stored = (): Readonly<Record<string, readonly FollowedTask[]>> => {
  try {
    return storedSchema.safeParse(JSON.parse(sessionStorage.getItem(name) ?? 'null')).data ?? {};
  } catch {
    return {};
  }
};

const current = (): readonly FollowedTask[] => {
  followed ??= stored();
  return followed[owner()] ?? none;
};

const update = (tasks: readonly FollowedTask[]): void => {
  followed = { ...followed, [owner()]: tasks };
  try {
    sessionStorage.setItem(name, JSON.stringify(followed));
  } catch {
    // Storage is full: the tasks are followed until the page is reloaded.
  }
  notify();
};

const others = (reference: string): readonly FollowedTask[] =>
  current().filter(({ reference_id }) => reference_id !== reference);

export const followTask = ({ reference_id, quantity }: FollowedTask): void =>
  update([...others(reference_id), { reference_id, quantity }].slice(-limits.toasts));

export const unfollowTask = (reference: string): void => {
  if (isFollowed(reference)) update(others(reference));
};

export const isFollowed = (reference: string): boolean =>
  current().some(({ reference_id }) => reference_id === reference);

export const useFollowedTasks = (): readonly FollowedTask[] => useSyncExternalStore(subscribe, current);
