import type { SmsQuota } from '@simcube/contract/org';

/** SMS of a month; null: no limit. */
export type SmsCap = number | null;

/**
 * What the quotas of an organisation and all above it come to, the topmost one first: the smallest of them. A parent
 * that lowers its own quota below a child's thereby lowers the child's; the child's setting stays for when it rises.
 */
export const effectiveCap = (quotasFromTop: readonly SmsQuota[]): SmsCap =>
  quotasFromTop.map(ownCap).reduce<SmsCap>(smaller, null);

/** An organisation whose quota a message is taken off, and what that comes to. */
export interface ChargedQuota {
  orgId: number;
  cap: SmsCap;
}

/**
 * Whose quotas the messages of an organisation are taken off, it and all above it given, the topmost first: its own, and
 * as long as one inherits, that of the next above.
 */
export const chargedQuotas = (lineFromTop: readonly { id: number; quota: SmsQuota }[]): ChargedQuota[] => {
  const charged: ChargedQuota[] = [];
  for (let index = lineFromTop.length - 1; index >= 0; index -= 1) {
    const above = lineFromTop.slice(0, index + 1);
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
export const exceeds = (wanted: SmsQuota, parentCap: SmsCap): boolean => {
  if (parentCap === null) return false;
  if (wanted.kind === 'unlimited') return true;
  return wanted.kind === 'custom' && wanted.messages > parentCap;
};
