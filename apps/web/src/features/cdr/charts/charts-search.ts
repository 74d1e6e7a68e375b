import { z } from 'zod';
import { listSearch, type SearchOf } from '../../../lib/search-params/list-search.ts';
import { cdrFilterParams } from '../filter.ts';

/** What charts count; the first unless the address says otherwise. */
export const measures = ['volume', 'records', 'sessions', 'sims'] as const;
export type Measure = (typeof measures)[number];

/** What the address of the charts of usage records holds. */
export const cdrChartsSearch = listSearch({
  filters: cdrFilterParams,
  kept: { measure: z.enum(measures) },
});
export type CdrChartsSearch = SearchOf<typeof cdrChartsSearch>;
