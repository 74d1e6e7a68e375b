import { bundleTypes, type ServiceFilter, serviceSorts, serviceStatuses } from '@simcube/contract/bundle';
import { z } from 'zod';
import { dayParam, pageParams, someOf, sortParam, textParam } from '../../lib/search-params/fields.ts';
import type { TimeZoneChoice } from '../../lib/time/index.ts';

/** Search parameters of the page of bundle orders. Whatever does not fit is left out: an old link still opens. */
export const serviceSearchSchema = z.object({
  search: textParam(60),
  status: someOf(z.enum(serviceStatuses), serviceStatuses.length),
  type: someOf(z.enum(bundleTypes), bundleTypes.length),
  bundle: someOf(z.string().trim().min(1).max(40), 20),
  /** Days, both inclusive. */
  ordered_from: dayParam,
  ordered_to: dayParam,
  expires_from: dayParam,
  expires_to: dayParam,
  ...pageParams,
  sort: sortParam(serviceSorts),
});
export type ServiceSearch = z.output<typeof serviceSearchSchema>;

/** First and last instant of a day as the person sees days; the server's ranges include both. */
const instantOf = (date: string | undefined, time: string, zone: TimeZoneChoice): string | undefined =>
  date === undefined ? undefined : new Date(`${date}T${time}${zone === 'UTC' ? 'Z' : ''}`).toISOString();

/** The filter as the server takes it. */
export const serviceFilterOf = (
  { page: _page, size: _size, sort: _sort, ...filter }: ServiceSearch,
  zone: TimeZoneChoice,
): ServiceFilter => ({
  ...filter,
  ordered_from: instantOf(filter.ordered_from, '00:00:00.000', zone),
  ordered_to: instantOf(filter.ordered_to, '23:59:59.999', zone),
  expires_from: instantOf(filter.expires_from, '00:00:00.000', zone),
  expires_to: instantOf(filter.expires_to, '23:59:59.999', zone),
});

/** Another filter starts at the first page again; page size and sort stay. */
export const withFilter = (search: ServiceSearch, filter: Partial<ServiceSearch>): ServiceSearch => ({
  ...search,
  ...filter,
  page: undefined,
});

export const withoutFilters = ({ size, sort }: ServiceSearch): ServiceSearch => ({ size, sort });

export const isFiltered = (search: ServiceSearch): boolean =>
  Object.values(serviceFilterOf(search, 'UTC')).some((value) => value !== undefined);
