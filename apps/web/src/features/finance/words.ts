import {
  type BillGroup,
  type BillLine,
  type BillSim,
  type BillState,
  countedUnit,
  type OfferLine,
} from '@simcube/contract/finance';
import { minorDigits } from '@simcube/contract/price';
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

/** A quantity in the unit of its line. */
export const quantityText = (
  t: TFunction,
  line: Pick<BillLine | OfferLine, 'kind' | 'unit'>,
  { count, shown }: { count: number; shown: string },
): string => t(`finance.units.${countedUnit(line)}`, { count, shown });

/** A SIM's charges on a bill or one of its lines, in millionths. */
export const microsOf = ({ charges }: BillSim): number =>
  charges.reduce((sum, { amount_micros: one }) => sum + one, 0);

/** The decimals that all prices of a column need. */
export const priceDigits = (micros: readonly number[], currency: string): number =>
  Math.max(
    minorDigits(currency),
    ...micros.map((one) => (one / 1e6).toFixed(6).replace(/^.*\.|0+$/g, '').length),
  );

/** The subject of a line. */
export const lineName = (
  t: TFunction,
  {
    kind,
    bundle,
    zone,
    pool,
  }: Pick<BillLine, 'kind' | 'bundle' | 'zone'> & { pool: { name: string } | null },
): string => t(`finance.lines.${kind}`, { name: (bundle ?? zone ?? pool)?.name });
