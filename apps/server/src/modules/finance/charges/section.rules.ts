import type { SettlementTerms } from '@simcube/contract/finance';
import type { BillMonth } from '../bill.rules.ts';

/** What says how much cycles used: the counters, or the records themselves for a check of both. */
export type UsageSource = 'counters' | 'records';

/** One organisation's part of what its settlement customer is billed for a month. */
export interface Section {
  orgId: number;
  /** Who is billed. */
  customerId: number;
  month: BillMonth;
  terms: SettlementTerms;
  /** Charged by this tariff instead of its own. */
  tariffId: number | null;
  /** Only what is charged in it; everything where it is not said. */
  currency?: string;
  source: UsageSource;
}
