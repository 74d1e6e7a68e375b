import {
  connectionSchema,
  lifecycleSchema,
  limits,
  type simFilterSchema,
  simSorts,
  tagSchema,
} from '@simcube/contract';
import { z } from 'zod';
import { listParam } from '../../lib/search-params/index.ts';

/** Search parameters of the SIM screens. Whatever does not fit is left out: an old or mistyped link still opens. */
const sorts = simSorts.flatMap((name) => [name, `-${name}` as const]);
const sizes: readonly number[] = limits.page.sizes;
const wholeNumber = z.coerce.number().int();

export const simListSearchSchema = z.object({
  search: z.coerce.string().pipe(z.string().trim().min(1).max(60)).optional().catch(undefined),
  lifecycle: listParam(lifecycleSchema).catch(undefined),
  connection: listParam(connectionSchema).catch(undefined),
  tags: listParam(tagSchema).catch(undefined),
  bundle: listParam(z.string().trim().min(1).max(40)).catch(undefined),
  /** Percent of the limit used at least. */
  usage: z.coerce.number().min(0).max(10_000).optional().catch(undefined),
  /** Ends within so many days. */
  expires: wholeNumber.min(0).max(365).optional().catch(undefined),
  over: z.enum(['yes']).optional().catch(undefined),
  page: wholeNumber.min(1).max(100_000).optional().catch(undefined),
  size: wholeNumber
    .refine((size) => sizes.includes(size))
    .optional()
    .catch(undefined),
  sort: z.enum(sorts).optional().catch(undefined),
});
export type SimListSearch = z.output<typeof simListSearchSchema>;

export const simTabs = ['overview', 'usage', 'events', 'session'] as const;
export type SimTab = (typeof simTabs)[number];
export const usageRanges = ['today', '7d', '30d', '6m', 'custom'] as const;
export type UsageRange = (typeof usageRanges)[number];
export const granularities = ['hour', 'day', 'month'] as const;
export type Granularity = (typeof granularities)[number];

export const simDetailSearchSchema = z.object({
  tab: z.enum(simTabs).optional().catch(undefined),
  /** Usage tab. */
  range: z.enum(usageRanges).optional().catch(undefined),
  from: z.iso.date().optional().catch(undefined),
  to: z.iso.date().optional().catch(undefined),
  per: z.enum(granularities).optional().catch(undefined),
  /** Events tab. */
  page: wholeNumber.min(1).max(100_000).optional().catch(undefined),
  size: wholeNumber
    .refine((size) => sizes.includes(size))
    .optional()
    .catch(undefined),
});
export type SimDetailSearch = z.output<typeof simDetailSearchSchema>;

export type OnSearchChange<S> = (next: S, how?: 'push' | 'replace') => void;

/** The list's filter as the server takes it. */
export const simFilterOf = ({
  search,
  lifecycle,
  connection,
  tags,
  bundle,
  usage,
  expires,
  over,
}: SimListSearch): z.output<typeof simFilterSchema> => ({
  search,
  lifecycle,
  connection,
  tags: tags?.slice(0, limits.tags.perSim),
  bundle,
  usage_percent_min: usage,
  expires_within_days: expires,
  over_limit: over === 'yes' ? true : undefined,
});

/** Another filter starts at the first page again; page size and sort stay. */
export const withFilter = (search: SimListSearch, filter: Partial<SimListSearch>): SimListSearch => ({
  ...search,
  ...filter,
  page: undefined,
});

export const withoutFilters = ({ size, sort }: SimListSearch): SimListSearch => ({ size, sort });

export const isFiltered = (search: SimListSearch): boolean =>
  Object.values(simFilterOf(search)).some((value) => value !== undefined);
