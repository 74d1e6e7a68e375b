import { dayMs } from '@simcube/contract/time';
import type { DiagnoseFacts } from '../diagnose-facts.rules.ts';
import type { Finding } from '../diagnose-findings.rules.ts';

/** An order that ends within this time with none behind it is reported. */
const endingSoonMs = 7 * dayMs;
/** Share of the quota from which it counts as nearly used up. */
const nearlyUsed = 0.9;
/** Cards that can't be activated by an order (specification, section 4). */
const notActivatable = new Set(['OTA', 'OTA BIP', 'multi IMSI']);

/** A bundle can't help a terminated SIM, so none is recommended. */
export const isFinal = ({ status }: DiagnoseFacts['lifecycle']): boolean => status === 'terminated';

export const diagnoseCard = ({ now, card, lifecycle }: DiagnoseFacts): Finding => {
  const { technology, shipmentOn } = card;
  if (shipmentOn !== null && shipmentOn > now.toISOString().slice(0, 10)) {
    return { finding: 'card-not-shipped', facts: { shipment_on: shipmentOn } };
  }
  if (lifecycle.status === 'pre-activated' && technology !== null && notActivatable.has(technology)) {
    return { finding: 'card-not-activatable', facts: { technology } };
  }
  return { finding: 'card-known', facts: { technology, shipment_on: shipmentOn } };
};

export const diagnoseLifecycle = (facts: DiagnoseFacts): Finding => {
  const { status, changedAt, graceDays } = facts.lifecycle;
  const since = { since_at: changedAt.toISOString() };
  switch (status) {
    case 'pre-activated':
      return diagnosePreActivated(facts);
    case 'expired':
      return {
        finding: 'expired',
        facts: { ...since, terminates_at: new Date(changedAt.getTime() + graceDays * dayMs).toISOString() },
      };
    default:
      return { finding: status, facts: since };
  }
};

const diagnosePreActivated = ({ lifecycle, bundle, pendingOrders }: DiagnoseFacts): Finding => {
  if (bundle?.type === 'test plan') return { finding: 'testing', facts: { bundle: 'test plan' } };
  const startsAt = lifecycle.preActivationEndsAt;
  return startsAt !== null && pendingOrders > 0
    ? { finding: 'activates-itself', facts: { starts_at: startsAt.toISOString() } }
    : { finding: 'not-activated', facts: {} };
};

export const diagnoseOrder = ({ now, lifecycle, order, pendingOrders }: DiagnoseFacts): Finding => {
  if (isFinal(lifecycle)) return { finding: 'order-terminated', facts: {} };
  if (!order) {
    return pendingOrders > 0
      ? { finding: 'order-pending', facts: { pending: pendingOrders } }
      : { finding: 'order-none', facts: {} };
  }
  const { bundle, endsAt } = order;
  if (!endsAt) return { finding: 'order-endless', facts: { bundle, pending: pendingOrders } };
  const facts = { bundle, until_at: endsAt.toISOString(), pending: pendingOrders };
  if (endsAt <= now) return { finding: 'order-over', facts };
  const isEnding = endsAt.getTime() - now.getTime() <= endingSoonMs && pendingOrders === 0;
  return { finding: isEnding ? 'order-ending' : 'order-in-use', facts };
};

export const diagnoseQuota = ({ now, lifecycle, order, usage }: DiagnoseFacts): Finding => {
  const { usedBytes, limitBytes, overLimit, data, rateKbps, cycleEndsAt } = usage;
  if (!order || isFinal(lifecycle)) return { finding: 'quota-none', facts: {} };
  // The counter is only reset by the first use after the cycle's end; access is decided as if it had been.
  if (cycleEndsAt && cycleEndsAt <= now) {
    return { finding: 'quota-turned', facts: { turned_at: cycleEndsAt.toISOString() } };
  }
  const used = { used_bytes: usedBytes, limit_bytes: limitBytes };
  if (data === 'stopped') {
    return cycleEndsAt
      ? { finding: 'quota-stopped-until', facts: { ...used, turns_at: cycleEndsAt.toISOString() } }
      : { finding: 'quota-stopped', facts: used };
  }
  if (data === 'slowed') return { finding: 'quota-slowed', facts: { ...used, kbps: rateKbps } };
  if (limitBytes === null) return { finding: 'quota-unlimited', facts: { used_bytes: usedBytes } };
  const facts = { ...used, turns_at: cycleEndsAt?.toISOString() ?? null };
  if (overLimit) return { finding: 'quota-billed', facts };
  return { finding: usedBytes >= limitBytes * nearlyUsed ? 'quota-nearly' : 'quota-left', facts };
};
