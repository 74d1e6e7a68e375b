import { lifecycleNumbers, type simSorts } from '@simcube/contract/sim';
import { z } from 'zod';

export type SimSort = (typeof simSorts)[number];

/** An order of the list: a column or none (order of entry), and its direction. */
export interface SimOrder {
  column: SimSort | undefined;
  descending: boolean;
}

export const simOrderOf = (sort: SimSort | `-${SimSort}` | undefined): SimOrder => {
  if (!sort) return { column: undefined, descending: false };
  return sort.startsWith('-')
    ? { column: sort.slice(1) as SimSort, descending: true }
    : { column: sort as SimSort, descending: false };
};

/**
 * A point in time as PostgreSQL writes it (UTC, microseconds) or infinite. Checked to be a real one: a cursor comes
 * back from outside, and the database must never be the one to find it wrong.
 */
export const instantTextSchema = z
  .string()
  .regex(/^(-?infinity|\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(\.\d{1,6})?\+00)$/)
  .refine((text) => {
    if (text.endsWith('infinity')) return true;
    const day = text.slice(0, 10);
    const at = new Date(`${day}T${text.slice(11, 19)}Z`);
    return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day) && day > '0001';
  });

const plainText = z
  .string()
  .max(300)
  .refine((text) => !text.includes('\0'));

/** In the order in which a SIM goes through them. */
const lifecycleTexts = Object.values(lifecycleNumbers).map(String);

const valueSchemas = {
  iccid: plainText,
  device_name: plainText,
  lifecycle: z.enum(lifecycleTexts),
  activated_at: instantTextSchema,
  expires_at: instantTextSchema,
} as const satisfies Record<SimSort, z.ZodType<string>>;

/** Where a page of the list ended: the sort it was made with, the last row's sort value, its id. */
export interface SimPosition {
  value: string | null;
  id: number;
}

/** The wire form; a cursor of another sort is refused, as its value means nothing here. */
export const simPositionSchema = ({ column, descending }: SimOrder) =>
  z
    .object({
      s: z.literal(`${descending ? '-' : ''}${column ?? ''}`),
      v: column ? valueSchemas[column] : z.null(),
      i: z.int().nonnegative(),
    })
    .transform(({ v, i }): SimPosition => ({ value: v, id: i }));

export const simPositionText = ({ column, descending }: SimOrder, position: SimPosition) => ({
  s: `${descending ? '-' : ''}${column ?? ''}`,
  v: column ? position.value : null,
  i: position.id,
});
