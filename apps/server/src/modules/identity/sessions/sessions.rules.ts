import { limits } from '@simcube/contract';
import { dayMs, hourMs, minuteMs } from '@simcube/contract/time';
import { tokenKind } from '../tokens.rules.ts';

/** The last use is written at most once in this time, however busy the person is. */
export const touchEveryMs = minuteMs;
/** At sign-in the person's oldest sessions beyond this number are ended. */
export const sessionsPerUser = 20;
/** How long ended and expired sessions are stored, so that their tokens are still recognised. */
export const sessionRetentionMs = 90 * dayMs;

export const { tokenOf: sessionTokenOf, isToken: isSessionToken } = tokenKind('scs_');

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
  idleMs: Math.min(strictest.idleHours ?? Number.POSITIVE_INFINITY, limits.sessionIdleHours.max) * hourMs,
  maxMs: Math.min(strictest.hours ?? Number.POSITIVE_INFINITY, limits.sessionHours.max) * hourMs,
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
