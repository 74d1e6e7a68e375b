import { z } from 'zod';
import { limits } from './limits.ts';

/**
 * Page request of every list: a page number from 1 (the specification's interface) or a keyset `cursor`
 * from `next_cursor` of the last answer, which stays fast however deep.
 */
export const pageSchema = z.strictObject({
  page_no: z.coerce.number().int().min(1).max(100_000).default(1),
  page_size: z.coerce.number().int().min(1).max(limits.page.maxByApi).default(limits.page.default),
  /** As long as the longest name may become when its width and case are levelled. */
  cursor: z.string().max(4000).optional(),
});
export type Page = z.output<typeof pageSchema>;

/** A page plus a sort over the columns given; `-column` is descending. */
export const sortedPageSchema = <const C extends readonly [string, ...string[]]>(columns: C) =>
  pageSchema.extend({
    sort: z
      .enum(columns.flatMap((column) => [column, `-${column}`]) as [C[number] | `-${C[number]}`])
      .optional(),
  });
