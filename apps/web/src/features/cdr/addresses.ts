import { stringifySearch } from '../../lib/search-params/index.ts';
import { type CdrFilterParams, isOfDates, type LastPeriod } from './filter.ts';

/** With the period that a screen shows when its address has none: another screen may show another. */
export const withPeriod = <F extends CdrFilterParams>(params: F, last: LastPeriod): F =>
  isOfDates(params) || params.last !== undefined ? params : { ...params, last };

/** Usage records, or their charts, with a filter. */
export const cdrHref = (language: string, screen: 'cdrCard' | 'chartView', filter: CdrFilterParams): string =>
  `/${language}/${screen}${stringifySearch(filter)}`;
