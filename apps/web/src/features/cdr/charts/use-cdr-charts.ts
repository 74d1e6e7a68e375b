import { endpoints } from '@simcube/contract';
import { keepPreviousData } from '@tanstack/react-query';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useAnswer } from '../../../ui/answer/index.ts';
import { cdrFilterOf } from '../filter.ts';
import { curveOf, ownPartner, useMoment } from '../list/use-cdrs.ts';
import type { CdrChartsSearch } from './charts-search.ts';

/** The sums behind all charts, up to one moment, which goes on every minute. */
export const useCdrCharts = (search: CdrChartsSearch) => {
  const filter = cdrFilterOf(search, useMoment(true));
  const by = curveOf(filter);
  const sums = useAnswer({
    ...endpointQuery(endpoints.cdr.sums, {
      params: ownPartner(),
      body: { ...filter, group_by: [by, 'country', 'operator', 'radio'], before: true },
    }),
    placeholderData: keepPreviousData,
  });
  return { sums, filter, by };
};
