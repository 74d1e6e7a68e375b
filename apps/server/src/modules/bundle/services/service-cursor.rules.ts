import type { serviceSorts } from '@simcube/contract/bundle';
import { z } from 'zod';
import { instantTextSchema } from '../../sim/index.ts';

export type ServiceSort = (typeof serviceSorts)[number];

export interface ServiceOrder {
  column: ServiceSort;
  descending: boolean;
}

/** The latest order first unless asked otherwise. */
export const serviceOrderOf = (sort: ServiceSort | `-${ServiceSort}` | undefined): ServiceOrder => {
  if (!sort) return { column: 'ordered_at', descending: true };
  return sort.startsWith('-')
    ? { column: sort.slice(1) as ServiceSort, descending: true }
    : { column: sort as ServiceSort, descending: false };
};

export interface ServicePosition {
  value: string;
  id: number;
}

/** The wire form of where a page ended; a cursor of another sort is refused. */
export const servicePositionSchema = ({ column, descending }: ServiceOrder) =>
  z
    .object({
      s: z.literal(`${descending ? '-' : ''}${column}`),
      v: column === 'iccid' ? z.string().regex(/^[0-9A-Za-z]{1,22}$/) : instantTextSchema,
      i: z.int().nonnegative(),
    })
    .transform(({ v, i }): ServicePosition => ({ value: v, id: i }));

export const servicePositionText = (
  { column, descending }: ServiceOrder,
  { value, id }: ServicePosition,
) => ({
  s: `${descending ? '-' : ''}${column}`,
  v: value,
  i: id,
});
