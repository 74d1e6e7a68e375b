import type { BundleType } from '@simcube/contract/bundle';
import { dayMs } from '@simcube/contract/time';

/** A bundle or an order is invalid; the message says why. */
export class BundleRefused extends Error {}

/** A SIM has one basic order in use at a time; supplementary ones run alongside it. */
export const isBasic = (type: BundleType): boolean => type !== 'prepaid supplementary';

/** Whether an activated SIM can run on it: a test plan is for the time before. */
export const isPlan = (type: BundleType): boolean => isBasic(type) && type !== 'test plan';

/** Whether a country is in a bundle's coverage. As for admission, an unknown country counts as covered. */
export const isCovered = (coverage: readonly string[], country: string | null): boolean =>
  coverage.length === 0 || country === null || coverage.includes(country);

/** When an order that starts at `startsAt` ends; null if it has no end. */
export const orderEnd = (startsAt: Date, durationDays: number | null): Date | null =>
  durationDays === null ? null : new Date(startsAt.getTime() + durationDays * dayMs);

/**
 * When a SIM's last order ends: pending orders follow the end of the one in use. Null as soon as one of them
 * has no end.
 */
export const lastEnd = (inUseEndsAt: Date | null, pendingDays: readonly (number | null)[]): Date | null =>
  pendingDays.reduce<Date | null>((end, days) => end && orderEnd(end, days), inUseEndsAt);
