import { limits } from '@simcube/contract';
import { dayMs } from '@simcube/contract/time';

/** The reference by which people talk about a task with each other and with support. */
export const referenceOf = (id: number): string => `T${String(id).padStart(8, '0')}`;

/** @returns undefined for an invalid reference */
export const idOfReference = (reference: string): number | undefined => {
  const digits = /^T(\d{8,15})$/.exec(reference)?.[1];
  return digits === undefined ? undefined : Number(digits);
};

/** Stored states of an item. */
export const itemStates = { waiting: 0, done: 1, refused: 2 } as const;

/** Whether there is something to undo, and the time limit has not passed. */
export const mayBeUndone = (
  { undoable, endedAt }: { undoable: number; endedAt: Date | null },
  now: Date,
): boolean =>
  undoable > 0 && endedAt !== null && now.getTime() - endedAt.getTime() < limits.taskUndoDays * dayMs;
