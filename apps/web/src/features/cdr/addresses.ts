import { stringifySearch } from '../../lib/search-params/index.ts';
import { type CdrFilterParams, hasDates, type LastPeriod } from './filter.ts';

/** Adds the period that a screen shows by default, for links to a screen with another default. */
export const withPeriod = <F extends CdrFilterParams>(params: F, last: LastPeriod): F =>
  hasDates(params) || params.last !== undefined ? params : { ...params, last };

/** Link to usage records, or their charts, with a filter. */
export const cdrHref = (language: string, screen: 'cdrCard' | 'chartView', filter: CdrFilterParams): string =>
  `/${language}/${screen}${stringifySearch(filter)}`;
