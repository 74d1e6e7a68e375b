import type { FormValues } from './issue-context.ts';

/** Fields that were never filled in and fields that were cleared count as equal. */
const plain = (value: unknown): unknown => {
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return null;
  return value;
};

/** The fields whose values differ from those before. */
export const changedValues = <V extends object>(before: object, now: V): Partial<V> =>
  Object.fromEntries(
    Object.entries(now).filter(([name, value]) => !sameValues({ ...before }, { [name]: value })),
  ) as Partial<V>;

/** Whether the fields have their initial values; `before` may contain more than the fields. */
export const sameValues = (before: FormValues, now: FormValues): boolean =>
  Object.entries(now).every(
    ([name, value]) => JSON.stringify(plain(value)) === JSON.stringify(plain(before[name])),
  );
