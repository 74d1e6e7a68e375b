import { dateSchema, instantSchema, limits } from '@simcube/contract';
import { z } from 'zod';
import { listParam } from './index.ts';

/*
 * Search parameters that many screens have. A value that does not fit is left out, so that an old or mistyped link still
 * opens.
 */

const sizes: readonly number[] = limits.page.sizes;

export const wholeNumber = z.coerce.number().int();
/** Text of at most so many characters. */
export const textParam = (max: number) =>
  z.coerce.string().pipe(z.string().trim().min(1).max(max)).optional().catch(undefined);
/** At most so many values, each once. */
export const someOf = <T>(item: z.ZodType<T>, max: number) =>
  listParam(item)
    .transform((values) => (values ? [...new Set(values)].slice(0, max) : undefined))
    .optional()
    .catch(undefined);
export const dayParam = dateSchema.optional().catch(undefined);
export const instantParam = instantSchema.optional().catch(undefined);
/** A sort column; `-column` is descending. */
export const sortParam = <const C extends string>(columns: readonly C[]) =>
  z
    .enum(columns.flatMap((column) => [column, `-${column}` as const]))
    .optional()
    .catch(undefined);

/** Page number and page size of a list. */
export const pageParams = {
  page: wholeNumber.min(1).max(100_000).optional().catch(undefined),
  size: wholeNumber
    .refine((size) => sizes.includes(size))
    .optional()
    .catch(undefined),
};

/** How a screen changes its search: a step of the browser's history, or in place of the current one. */
export type OnSearchChange<S> = (next: S, how?: 'push' | 'replace') => void;

/** What a screen whose state lives in the address is given. */
export interface SearchScreenProps<S> {
  search: S;
  onSearchChange: OnSearchChange<S>;
  /** Address of the screen with another search. */
  hrefOf: (next: S) => string;
}
