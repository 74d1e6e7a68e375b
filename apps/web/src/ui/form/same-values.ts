import type { FormValues } from './issue-context.ts';

/** A field that was never filled in and one that was emptied hold the same: nothing. */
const plain = (value: unknown): unknown => {
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return null;
  return value;
};

/** Whether the fields hold what they began with; `before` may have more than the fields. */
export const sameValues = (before: FormValues, now: FormValues): boolean =>
  Object.entries(now).every(
    ([name, value]) => JSON.stringify(plain(value)) === JSON.stringify(plain(before[name])),
  );
