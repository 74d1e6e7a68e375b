import type { BundleType } from '@simcube/contract/bundle';

/** A bundle or an order can't be made as wanted; the message says why. */
export class BundleRefused extends Error {}

/** A SIM has one basic order in use at a time; supplementary ones run beside it. */
export const isBasic = (type: BundleType): boolean => type !== 'prepaid supplementary';

/** What an activated SIM runs on: a test plan is for the time before. */
export const isPlan = (type: BundleType): boolean => isBasic(type) && type !== 'test plan';

/** Whether a country is in a bundle's coverage. As for admission: one that is not known is not held against the SIM. */
export const isCovered = (coverage: readonly string[], country: string | null): boolean =>
  coverage.length === 0 || country === null || coverage.includes(country);

const dayMs = 86_400_000;

/** When an order ends that starts at `startsAt`; null when it has no end. */
export const orderEnd = (startsAt: Date, durationDays: number | null): Date | null =>
  durationDays === null ? null : new Date(startsAt.getTime() + durationDays * dayMs);

/**
 * When a SIM's last order ends: the queue of pending orders runs on from the end of the one in use. Null as soon as
 * one of them has no end.
 */
export const lastEnd = (inUseEndsAt: Date | null, pendingDays: readonly (number | null)[]): Date | null =>
  pendingDays.reduce<Date | null>((end, days) => end && orderEnd(end, days), inUseEndsAt);
