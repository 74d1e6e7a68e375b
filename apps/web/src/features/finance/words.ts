import type { BillGroup, BillLine, BillState } from '@simcube/contract/finance';
import type { TFunction } from 'i18next';
import { stringifySearch } from '../../lib/search-params/index.ts';
import type { StackColour } from '../../ui/chart/index.ts';
import type { Tone } from '../../ui/status/index.ts';
import type { BillSearch, BillSimsSearch } from './search.ts';

export const groupColours: Readonly<Record<BillGroup, StackColour>> = {
  bundles: 'amount',
  pools: 'teal',
  overage: 'orange',
  sms: 'purple',
  corrections: 'grey',
};

export const stateTones: Readonly<Record<BillState, Tone>> = {
  draft: 'grey',
  issued: 'orange',
  expired: 'red',
  paid: 'teal',
};

export const billHref = (language: string, search: BillSearch): string =>
  `/${language}/financeDetailsPage${stringifySearch(search)}`;

export const billSimsHref = (language: string, search: BillSimsSearch): string =>
  `/${language}/financeSimDetailsPage${stringifySearch(search)}`;

/** The subject of a line. */
export const lineName = (t: TFunction, { kind, bundle, zone, pool }: BillLine): string =>
  t(`finance.lines.${kind}`, { name: (bundle ?? zone ?? pool)?.name });
