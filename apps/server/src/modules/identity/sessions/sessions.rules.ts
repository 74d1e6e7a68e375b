import { limits } from '@simcube/contract';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The last use is written at most once in this time: one write a minute, however busy the person is. */
export const touchEveryMs = minute;
/** At sign-in the person's oldest sessions beyond this many are ended. */
export const sessionsPerUser = 20;
/** Ended and expired sessions are kept so long, so that their tokens are still known to have been ours. */
export const sessionRetentionMs = 90 * day;

/** Tokens are opaque: 256 random bits behind a prefix by which a leaked one is recognised. */
const tokenPrefix = 'scs_';
const tokenForm = new RegExp(`^${tokenPrefix}[A-Za-z0-9_-]{43}$`);

export const tokenOf = (random: Buffer): string => `${tokenPrefix}${random.toString('base64url')}`;

/** Whether a token could be ours at all; what is not is refused without asking the database. */
export const isTokenForm = (token: string): boolean => tokenForm.test(token);

/** Sessions slide: so long without a call ends one, and so long after sign-in ends it in any case. */
export interface SessionLengths {
  idleMs: number;
  maxMs: number;
}

/**
 * The lengths for a person: the strictest that one of the organisations demands, never more than the product allows.
 * A person without an organisation has the longest.
 */
export const lengthsOf = (strictest: { idleHours: number | null; hours: number | null }): SessionLengths => ({
  idleMs: Math.min(strictest.idleHours ?? Number.POSITIVE_INFINITY, limits.sessionIdleHours.max) * hour,
  maxMs: Math.min(strictest.hours ?? Number.POSITIVE_INFINITY, limits.sessionHours.max) * hour,
});

export interface SessionTimes extends SessionLengths {
  createdAt: Date;
  lastUsedAt: Date;
}

export const sessionExpired = ({ createdAt, lastUsedAt, idleMs, maxMs }: SessionTimes, now: Date): boolean =>
  now.getTime() - lastUsedAt.getTime() >= idleMs || now.getTime() - createdAt.getTime() >= maxMs;

export const touchIsDue = ({ lastUsedAt }: Pick<SessionTimes, 'lastUsedAt'>, now: Date): boolean =>
  now.getTime() - lastUsedAt.getTime() >= touchEveryMs;
