import { z } from 'zod';
import { limits } from './limits.ts';

/** A number that may also be given by its digits, as in a query. Nothing else is converted: `true` is not 1, nor is `[5]` 5. */
export const digitsOr = <S extends z.ZodType>(schema: S) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value),
    schema,
  );

/**
 * Page request of every list: a page number from 1 (the specification's interface) or a keyset `cursor`
 * from `next_cursor` of the last response, which is fast at any depth.
 */
export const pageSchema = z.strictObject({
  page_no: digitsOr(z.int().min(1).max(100_000)).default(1),
  page_size: digitsOr(z.int().min(1).max(limits.page.maxByApi)).default(limits.page.default),
  /** Maximum length of the longest name after folding of width and case. */
  cursor: z.string().max(4000).optional(),
});
export type Page = z.output<typeof pageSchema>;

/** A page request with sorting by the given columns; `-column` is descending. */
export const sortedPageSchema = <const C extends readonly [string, ...string[]]>(columns: C) =>
  pageSchema.extend({
    sort: z
      .enum(columns.flatMap((column) => [column, `-${column}`]) as [C[number] | `-${C[number]}`])
      .optional(),
  });
