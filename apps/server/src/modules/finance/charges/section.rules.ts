import type { SettlementTerms } from '@simcube/contract/finance';
import type { BillMonth } from '../bill.rules.ts';

/** The source of cycles' usage: the counters, or the records themselves for a check of both. */
export type UsageSource = 'counters' | 'records';

/** One organisation's part of its settlement customer's bills for a month. */
export interface Section {
  orgId: number;
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
