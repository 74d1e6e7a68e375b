import { limits } from '@simcube/contract';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The last use is written at most once in this time, however busy the person is. */
export const touchEveryMs = minute;
/** At sign-in the person's oldest sessions beyond this number are ended. */
export const sessionsPerUser = 20;
/** How long ended and expired sessions are stored, so that their tokens are still recognised. */
export const sessionRetentionMs = 90 * day;

/** Tokens are opaque: a prefix, by which a leaked one is recognised, and 256 random bits. */
const tokenPrefix = 'scs_';
const tokenPattern = new RegExp(`^${tokenPrefix}[A-Za-z0-9_-]{43}$`);

export const sessionTokenOf = (random: Buffer): string => `${tokenPrefix}${random.toString('base64url')}`;

/** Whether a text has the form of a token; others are refused without a query. */
export const isSessionToken = (token: string): boolean => tokenPattern.test(token);

/** Sessions slide: one ends after this long without a call, and in any case this long after sign-in. */
export interface SessionDurations {
  idleMs: number;
  maxMs: number;
}

/**
 * The durations for a person: the strictest of the organisations' rules, never more than the product allows. A
 * person without an organisation has the longest.
 */
export const durationsOf = (strictest: {
  idleHours: number | null;
  hours: number | null;
}): SessionDurations => ({
  idleMs: Math.min(strictest.idleHours ?? Number.POSITIVE_INFINITY, limits.sessionIdleHours.max) * hour,
  maxMs: Math.min(strictest.hours ?? Number.POSITIVE_INFINITY, limits.sessionHours.max) * hour,
});

export interface SessionTimes extends SessionDurations {
  createdAt: Date;
  lastUsedAt: Date;
}

export const isSessionExpired = (
  { createdAt, lastUsedAt, idleMs, maxMs }: SessionTimes,
  now: Date,
): boolean => now.getTime() - lastUsedAt.getTime() >= idleMs || now.getTime() - createdAt.getTime() >= maxMs;

export const isTouchDue = ({ lastUsedAt }: Pick<SessionTimes, 'lastUsedAt'>, now: Date): boolean =>
  now.getTime() - lastUsedAt.getTime() >= touchEveryMs;
