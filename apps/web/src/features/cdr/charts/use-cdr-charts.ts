import { endpoints } from '@simcube/contract';
import type { CdrGrouping } from '@simcube/contract/cdr';
import { keepPreviousData } from '@tanstack/react-query';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useApiQuery } from '../../../ui/query/index.ts';
import { cdrFilterOf, listIsMissing } from '../filter.ts';
import { curveOf, ownPartner, useCurrentTime } from '../list/use-cdrs.ts';
import type { CdrChartsSearch } from './charts-search.ts';

/** Radio types by day are only useful for spans of days. */
const groupingsOf = {
  hour: ['hour', 'country', 'operator', 'radio'],
  day: ['day', 'country', 'operator', 'radio', 'day_radio'],
} as const satisfies Record<string, readonly CdrGrouping[]>;

/** The sums behind all charts, up to a moment that advances every minute. */
export const useCdrCharts = (search: CdrChartsSearch) => {
  const filter = cdrFilterOf(search, useCurrentTime(true));
  const by = curveOf(filter);
  const sums = useApiQuery(
    {
      ...endpointQuery(endpoints.cdr.sums, {
        params: ownPartner(),
        body: { ...filter, group_by: [...groupingsOf[by]], before: true },
      }),
      placeholderData: keepPreviousData,
      enabled: !listIsMissing(search),
    },
    JSON.stringify(search),
  );
  return { sums, filter, by };
};
