import { limits } from '@simcube/contract';

/** What people call a task by, in talk with each other and with support. */
export const referenceOf = (id: number): string => `T${String(id).padStart(8, '0')}`;

/** @returns undefined for what is no reference */
export const idOfReference = (reference: string): number | undefined => {
  const digits = /^T(\d{8,15})$/.exec(reference)?.[1];
  return digits === undefined ? undefined : Number(digits);
};

/** States of an item, as stored. */
export const itemStates = { waiting: 0, done: 1, refused: 2 } as const;

const dayMs = 86_400_000;

/** Whether there is something to undo, and it is not too late. */
export const mayBeUndone = (
  { undoable, endedAt }: { undoable: number; endedAt: Date | null },
  now: Date,
): boolean =>
  undoable > 0 && endedAt !== null && now.getTime() - endedAt.getTime() < limits.taskUndoDays * dayMs;
