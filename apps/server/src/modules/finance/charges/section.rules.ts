import type { SettlementTerms } from '@simcube/contract/finance';
import { mayChargeZones } from '../../price/index.ts';
import type { BillMonth } from '../bill.rules.ts';

/** The source of usage: counters and rollups, or the records themselves for a check of both. */
export type UsageSource = 'counters' | 'records';

/** Corrections of earlier months, and since when hours of usage are retained for them. */
export interface Corrections {
  hoursSince: Date;
}

/**
 * Whether a cycle can still be charged again. If zones may charge it, its first and last days are read by the hour:
 * without those hours, less usage in zones would be found than was charged.
 */
export const isCorrectable = (
  {
    bundle,
    from,
    pooled = false,
  }: { bundle: Parameters<typeof mayChargeZones>[0]; from: Date; pooled?: boolean },
  { hoursSince }: Corrections,
): boolean => from >= hoursSince || !(pooled || mayChargeZones(bundle));

/** A tariff by which a bill charged an organisation, from a cycle on. */
export interface FormerTariff {
  tariffId: number;
  since: Date;
}

/** An organisation on a bill. */
export interface BillSection {
  orgId: number;
  /** Of a deleted organisation, which no longer has a tariff: those by which the bill charged it, in order. */
  formerTariffs?: FormerTariff[];
}

/** One organisation's part of its settlement customer's bills for a month. */
export interface Section extends BillSection {
  /** The settlement customer. */
  customerId: number;
  month: BillMonth;
  terms: SettlementTerms;
  /** Charged by this tariff instead of its own. */
  tariffId: number | null;
  /** Only charges in this currency; all by default. */
  currency?: string;
  source: UsageSource;
}

/** The part of a section that decides by which tariff cycles of any month are charged. */
export type TariffSection = Pick<Section, 'orgId' | 'customerId' | 'month' | 'tariffId'>;
