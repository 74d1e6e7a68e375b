import { reversedEnds } from '@simcube/contract';
import { z } from 'zod';
import { pageParams, sortParam } from './fields.ts';

type Shape = Readonly<Record<string, z.ZodType>>;
type Lenient<F> = { -readonly [K in keyof F]?: F[K] extends z.ZodType ? z.output<F[K]> | undefined : never };
type Flat<T> = { [K in keyof T]: T[K] };

/** Parameters that every list has in its URL. */
export interface ListParams {
  page?: number | undefined;
  size?: number | undefined;
  sort?: string | undefined;
  /** The text of the quick search. */
  search?: string | undefined;
  /** The saved view that was opened; changes since then are stored next to it. */
  view?: string | undefined;
}

interface Parts<F extends Shape, O extends Shape, K extends Shape, C extends string> {
  /** Filters: changing one returns to the first page. */
  filters: F;
  /** Overlays of the list, such as an open row: removed as soon as the rows below change. */
  overlays?: O;
  /** Parameters that survive a change of filters, such as which of several lists is shown. */
  preserved?: K;
  /** Columns that the server can sort by. */
  sorts?: readonly C[];
  /** Starts of ranges whose parameters are not called as those of the ends: `…_from` or `…_min`. */
  starts?: Readonly<Record<string, string>>;
}

/** The URL of a list: how it is parsed, and how each step changes it. Renders nothing and sends no requests. */
export interface ListSearch<S, F extends keyof S = keyof S> {
  /** Invalid values are ignored: an old or mistyped link still opens. */
  parse: (search: unknown) => S;
  /** Parses the value of one parameter as from a URL. */
  read: <N extends keyof S>(name: N, value: unknown) => S[N];
  filterOf: (search: S) => Pick<S, F>;
  isFiltered: (search: S) => boolean;
  /** Returns to the first page; page size, sort and `preserved` stay. */
  withFilter: (search: S, filter: Partial<S>) => S;
  withoutFilters: (search: S) => S;
  withPage: (search: S, page: { number: number; size: number }) => S;
  withSort: (search: S, sort: string | undefined) => S;
  /** Without overlays. */
  withoutOverlays: (search: S) => S;
}

export type SearchOf<L> = L extends ListSearch<infer S, infer _F> ? S : never;

type Sorted<C extends string> = [C] extends [never]
  ? Record<never, never>
  : { sort?: C | `-${C}` | undefined };

type Params<F extends Shape, O extends Shape, K extends Shape, C extends string> = Flat<
  Lenient<F> & Lenient<O> & Lenient<K> & Pick<ListParams, 'page' | 'size'> & Sorted<C>
>;

const none: Shape = {};
const lenient = (shape: Shape): Shape =>
  Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => [name, schema.optional().catch(undefined)]),
  );
const unsetAll = (shape: Shape): Record<string, undefined> =>
  Object.fromEntries(Object.keys(shape).map((name) => [name, undefined]));

/** A list that only has pages, without filters or search. */
export type PagesSearch = Pick<ListParams, 'page' | 'size'>;

/** Declares the parameters of a list's URL. */
export const listSearch = <
  F extends Shape,
  O extends Shape = Record<never, never>,
  K extends Shape = Record<never, never>,
  const C extends string = never,
>(
  parts: Parts<F, O, K, C>,
): ListSearch<Params<F, O, K, C>, keyof F & keyof Params<F, O, K, C>> => {
  const { filters, overlays = none, preserved = none, sorts, starts = {} } = parts;
  const shape: Shape = {
    ...lenient({ ...preserved, ...filters, ...overlays }),
    ...pageParams,
    ...(sorts ? { sort: sortParam(sorts) } : {}),
  };
  const schema = z.object(shape);
  const names = Object.keys(filters);
  const filterOf = (search: object) =>
    Object.fromEntries(Object.entries(search).filter(([name]) => names.includes(name)));
  const noOverlays = unsetAll(overlays);
  /** The server refuses an end before its start. */
  const inOrder = (search: object) => {
    const named = Object.entries(search).map(([name, value]) => [starts[name] ?? name, value]);
    const reversed = reversedEnds(Object.fromEntries(named)).map(({ end }) => [end, undefined]);
    return { ...search, ...Object.fromEntries(reversed) };
  };
  const rules: ListSearch<ListParams> = {
    parse: (search) => inOrder(schema.parse(search)),
    read: (name, value) => shape[name]?.parse(value) as never,
    filterOf,
    isFiltered: (search) => Object.values(filterOf(search)).some((value) => value !== undefined),
    withFilter: (search, filter) => ({ ...search, ...filter, page: undefined, ...noOverlays }),
    withoutFilters: (search) => ({ ...search, ...unsetAll(filters), page: undefined, ...noOverlays }),
    withPage: (search, { number, size }) => ({ ...search, page: number, size, ...noOverlays }),
    withSort: (search, sort) => ({ ...search, sort, page: undefined, ...noOverlays }),
    withoutOverlays: (search) => ({ ...search, ...noOverlays }),
  };
  return rules as unknown as ReturnType<typeof listSearch<F, O, K, C>>;
};

/** For a list that only has pages, without filters or search. */
export const pagesSearch = listSearch({ filters: {} });
