import { dateSchema, instantSchema, limits } from '@simcube/contract';
import { z } from 'zod';
import { listParam } from './index.ts';

/* Search parameters that many screens share. Invalid values are ignored, so that an old or mistyped link still opens. */

const sizes: readonly number[] = limits.page.sizes;

/** A number as text, or as a number. Empty text is none: `Number('')` would be 0. */
export const numberParam = <N extends z.ZodType<number>>(schema: N) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? (value.trim() === '' ? undefined : Number(value)) : value),
    schema,
  );
/** Text of at most `max` characters. */
export const textParam = (max: number) =>
  z.coerce.string().pipe(z.string().trim().min(1).max(max)).optional().catch(undefined);
/** At most `max` different values. */
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
  page: numberParam(z.int().min(1).max(100_000)).optional().catch(undefined),
  size: numberParam(z.int().refine((size) => sizes.includes(size)))
    .optional()
    .catch(undefined),
};

/** Changes a screen's search: adds an entry to the browser's history, or replaces the current one. */
export type OnSearchChange<S> = (next: S, how?: 'push' | 'replace') => void;

/** The props of a screen whose state is in the URL. */
export interface SearchScreenProps<S> {
  search: S;
  onSearchChange: OnSearchChange<S>;
  /** Address of the screen with another search. */
  hrefOf: (next: S) => string;
}
