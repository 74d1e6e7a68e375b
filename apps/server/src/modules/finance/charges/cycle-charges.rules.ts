import type { BundleSpec } from '@simcube/contract/bundle';
import type { BillType, SettlementTerms } from '@simcube/contract/finance';
import type { ChargeLine } from '@simcube/contract/price';
import { type CycleFacts, chargesOf, isFee, type TariffVersion } from '../../price/index.ts';
import type { BillMonth } from '../bill.rules.ts';

/**
 * A SIM's cycle that begins or ends in a month, and whether the SIM belonged to the organisation when fees fell
 * due and when the cycle ended.
 */
export interface BilledCycle {
  startedAt: Date;
  endsAt: Date;
  activatedAt: Date;
  /** Whether the SIM belonged to the organisation when the cycle, or the order in it, began. */
  ownsBegin: boolean;
  ownsEnd: boolean;
  facts: Omit<CycleFacts, 'ownsCycleStart'>;
}

const isWithin = (at: Date, { from, until }: BillMonth): boolean => at >= from && at < until;
const laterOf = (one: Date, other: Date): Date => (one > other ? one : other);

/** Usage belongs to the month in which its cycle ends, even with the month's last instant. */
export const endsWithin = ({ endsAt }: Pick<BilledCycle, 'endsAt'>, { from, until }: BillMonth): boolean =>
  endsAt > from && endsAt <= until;

const noFees = { ownsCycleStart: false, activations: [] };

/**
 * The charges of an organisation for a cycle's usage: in zones its own part, beyond the quota if it had the SIM
 * when the cycle ended.
 */
export const usageCharges = (
  version: TariffVersion,
  { facts, ownsEnd }: Pick<BilledCycle, 'facts' | 'ownsEnd'>,
): ChargeLine[] => chargesOf(version, { ...facts, ...noFees, limitBytes: ownsEnd ? facts.limitBytes : null });

/** A cycle's charges in a month: recurring fees if it begins in the month, and usage if it ends in it. */
export const monthCharges = (version: TariffVersion, cycle: BilledCycle, month: BillMonth): ChargeLine[] => {
  const ownsCycleStart = cycle.ownsBegin && isWithin(laterOf(cycle.startedAt, cycle.activatedAt), month);
  const fees = chargesOf(version, {
    ...cycle.facts,
    ownsCycleStart,
    limitBytes: null,
    byCountry: [],
  });
  return [...fees, ...(endsWithin(cycle, month) ? usageCharges(version, cycle) : [])];
};

/** Whether bundles of this type are prepaid. */
export const isPrepaid = (type: BundleSpec['type']): boolean =>
  type.startsWith('prepaid') || type === 'test plan';

/** The type of bill for a charge: `advance` for fees of prepaid bundles, otherwise by the customer's terms. */
export const billTypeOf = (
  line: Pick<ChargeLine, 'kind' | 'bundle'>,
  { prepaid, terms }: { prepaid: ReadonlySet<string>; terms: SettlementTerms },
): BillType => (isFee(line) && line.bundle && prepaid.has(line.bundle.code) ? 'advance' : terms);
