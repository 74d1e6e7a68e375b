import { bundleTypes, type ServiceFilter, serviceSorts, serviceStatuses } from '@simcube/contract/bundle';
import { z } from 'zod';
import { dayParam, someOf, textParam } from '../../lib/search-params/fields.ts';
import { listSearch, type SearchOf } from '../../lib/search-params/list-search.ts';
import { endOfDay, startOfDay, type TimeZoneChoice } from '../../lib/time/index.ts';

/** Search parameters of the list of bundle orders. */
export const serviceSearch = listSearch({
  filters: {
    search: textParam(60),
    status: someOf(z.enum(serviceStatuses), serviceStatuses.length),
    type: someOf(z.enum(bundleTypes), bundleTypes.length),
    bundle: someOf(z.string().trim().min(1).max(60), 20),
    /** Days, both inclusive. */
    ordered_from: dayParam,
    ordered_to: dayParam,
    expires_from: dayParam,
    expires_to: dayParam,
  },
  sorts: serviceSorts,
});
export type ServiceSearch = SearchOf<typeof serviceSearch>;

/** The filter in the server's format. */
export const serviceFilterOf = (search: ServiceSearch, zone: TimeZoneChoice): ServiceFilter => {
  const filter = serviceSearch.filterOf(search);
  return {
    ...filter,
    ordered_from: startOfDay(filter.ordered_from, zone),
    ordered_to: endOfDay(filter.ordered_to, zone),
    expires_from: startOfDay(filter.expires_from, zone),
    expires_to: endOfDay(filter.expires_to, zone),
  };
};
