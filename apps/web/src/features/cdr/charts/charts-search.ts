import { z } from 'zod';
import { listSearch, type SearchOf } from '../../../lib/search-params/list-search.ts';
import { cdrFilterParams } from '../filter.ts';

/** The measures of the charts; the first is the default. */
export const measures = ['volume', 'records', 'sessions', 'sims'] as const;
export type Measure = (typeof measures)[number];

/** Search parameters of the charts of usage records. */
export const cdrChartsSearch = listSearch({
  filters: cdrFilterParams,
  preserved: { measure: z.enum(measures) },
});
export type CdrChartsSearch = SearchOf<typeof cdrChartsSearch>;
