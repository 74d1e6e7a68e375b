import type { SmsQuota } from '@simcube/contract/org';

/** SMS per month; null: no limit. */
export type SmsCap = number | null;

/**
 * The effective quota of an organisation from its own and all those above it, the topmost first: the smallest.
 * A parent that lowers its own quota below a child's thereby limits the child; the child's setting is kept for
 * when it rises again.
 */
export const effectiveCap = (quotasFromTop: readonly SmsQuota[]): SmsCap =>
  quotasFromTop.map(ownCap).reduce<SmsCap>(smaller, null);

/** An organisation whose quota a message counts against, and the effective quota. */
export interface ChargedQuota {
  orgId: number;
  cap: SmsCap;
}

/**
 * The organisations whose quotas an organisation's messages count against, given it and all above it, the
 * topmost first: its own and, as long as one inherits, the next above.
 */
export const chargedQuotas = (lineageFromTop: readonly { id: number; quota: SmsQuota }[]): ChargedQuota[] => {
  const charged: ChargedQuota[] = [];
  for (let index = lineageFromTop.length - 1; index >= 0; index -= 1) {
    const above = lineageFromTop.slice(0, index + 1);
    const own = above.at(-1);
    if (!own) break;
    charged.push({ orgId: own.id, cap: effectiveCap(above.map(({ quota }) => quota)) });
    if (own.quota.kind !== 'inherit') break;
  }
  return charged;
};

const ownCap = (quota: SmsQuota): SmsCap => {
  switch (quota.kind) {
    case 'inherit':
    case 'unlimited':
      return null;
    case 'none':
      return 0;
    case 'custom':
      return quota.messages;
  }
};

const smaller = (a: SmsCap, b: SmsCap): SmsCap => {
  if (a === null) return b;
  return b === null ? a : Math.min(a, b);
};

/** "SMS quota must not exceed the current (parent) organisation's cap" (specification, section 5). */
export const exceeds = (quota: SmsQuota, parentCap: SmsCap): boolean => {
  if (parentCap === null) return false;
  if (quota.kind === 'unlimited') return true;
  return quota.kind === 'custom' && quota.messages > parentCap;
};
