import { limits } from '@simcube/contract';
import { hourMs, secondMs } from '@simcube/contract/time';
import { failuresUntilProbes } from '../targets/targets.rules.ts';

const doublings = 10;
const spread = 0.15;

/** 5 s, doubled with each attempt up to 2,560 s, then hourly; `random` (0 to 1) varies it by 15 % either way. */
export const pauseAfter = (attempts: number, random: number): number => {
  const pause = attempts <= doublings ? 5 * secondMs * 2 ** (attempts - 1) : hourMs;
  return Math.round(pause * (1 + spread * (2 * random - 1)));
};

/** The same for a lane, from the failure that makes it one for probes. */
export const probePause = (failures: number, random: number): number =>
  pauseAfter(Math.max(1, failures - failuresUntilProbes + 1), random);

/** A waiting delivery is tried at least hourly, give or take. After a longer pause, nothing is known about the receiver. */
const longestPauseMs = 2 * hourMs;

/** A failure after this continues the series that another has begun. */
export const seriesCutoff = (now: Date): Date => new Date(now.getTime() - longestPauseMs);

/** Deliveries created before this are given up. */
export const expiryCutoff = (now: Date): Date =>
  new Date(now.getTime() - limits.notifications.hours * hourMs);

/**
 * The next attempt after a failed one, at the earliest after the pause that the receiver requested (at most an
 * hour); undefined if that was the last.
 */
export const nextAttemptAt = (
  { attempts, createdAt }: { attempts: number; createdAt: Date },
  { now, random, requestedDelayMs = 0 }: { now: Date; random: number; requestedDelayMs?: number | undefined },
): Date | undefined => {
  if (attempts >= limits.notifications.tries) return undefined;
  const next = new Date(
    now.getTime() + Math.max(pauseAfter(attempts, random), Math.min(requestedDelayMs, hourMs)),
  );
  return expiryCutoff(next) > createdAt ? undefined : next;
};

/** The pause of a Retry-After header, in seconds or as a date (RFC 9110, 10.2.3). */
export const retryAfterMs = (header: string | undefined, now: Date): number | undefined => {
  if (header === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * secondMs : Date.parse(header) - now.getTime();
  return Number.isFinite(ms) && ms > 0 ? ms : undefined;
};

/** The reference of a short message for its sender. */
export const textReference = ({ id, attempts }: { id: number; attempts: number }): string =>
  `${id}/${attempts}`;

/** The delivery and the attempt of such a reference. */
export const attemptOf = (reference: string): { id: number; attempts: number } => {
  const [id, attempts] = reference.split('/').map(Number);
  return { id: id ?? 0, attempts: attempts ?? 0 };
};
