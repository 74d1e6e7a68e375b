import { defaultLanguage, type Language, languages, limits, passwordSchema } from '@simcube/contract';
import { z } from 'zod';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Sessions slide: so long without a call ends one, and so long after sign-in ends it in any case. */
export const sessionIdleMs = 12 * hour;
export const sessionMaxMs = 7 * day;
/** The last use is written at most once in this time: one write a minute, however busy the person is. */
export const touchEveryMs = minute;
/** At sign-in the person's oldest sessions beyond this many are ended. */
export const sessionsPerUser = 20;
/** Ended and expired sessions are kept so long, so that their tokens are still known to have been ours. */
export const sessionKeptMs = 90 * day;

/** Tokens are opaque: 256 random bits behind a prefix by which a leaked one is recognised. */
const tokenPrefix = 'scs_';
const tokenForm = new RegExp(`^${tokenPrefix}[A-Za-z0-9_-]{43}$`);

export const tokenOf = (random: Buffer): string => `${tokenPrefix}${random.toString('base64url')}`;

/** Whether a token could be ours at all; what is not is refused without asking the database. */
export const isTokenForm = (token: string): boolean => tokenForm.test(token);

export interface SessionTimes {
  createdAt: Date;
  lastUsedAt: Date;
}

export const sessionExpired = ({ createdAt, lastUsedAt }: SessionTimes, now: Date): boolean =>
  now.getTime() - lastUsedAt.getTime() >= sessionIdleMs ||
  now.getTime() - createdAt.getTime() >= sessionMaxMs;

export const touchIsDue = ({ lastUsedAt }: SessionTimes, now: Date): boolean =>
  now.getTime() - lastUsedAt.getTime() >= touchEveryMs;

/** Failures in a row before an address is locked. */
export const freeFailures = 5;
const firstLockMs = minute;
const longestLockMs = hour;
/** Failures older than this are forgotten. */
export const failuresKeptMs = day;

export interface Failures {
  failures: number;
  lastFailedAt: Date;
  lockedUntil: Date | null;
}

export const isLocked = (known: Failures | undefined, now: Date): boolean =>
  known?.lockedUntil != null && known.lockedUntil.getTime() > now.getTime();

/**
 * What is known of an address after one more failure: from the fifth on it is locked, a minute first, each time
 * twice as long, an hour at most.
 */
export const afterFailure = (known: Failures | undefined, now: Date): Failures => {
  const fresh = known && now.getTime() - known.lastFailedAt.getTime() < failuresKeptMs;
  const failures = (fresh ? known.failures : 0) + 1;
  return { failures, lastFailedAt: now, lockedUntil: lockOf(failures, now) };
};

const lockOf = (failures: number, now: Date): Date | null => {
  if (failures < freeFailures) return null;
  const doublings = Math.min(failures - freeFailures, 10);
  return new Date(now.getTime() + Math.min(firstLockMs * 2 ** doublings, longestLockMs));
};

/** Addresses are compared without regard to case, in the database too (`lower(email)`). */
export const normalEmail = (email: string): string => email.trim().toLowerCase();

export const isPassword = (password: string): boolean => passwordSchema.safeParse(password).success;

const emailSchema = z.email().max(254);

export interface PersonFacts {
  email: string;
  firstName: string;
  lastName: string;
}

/** What is wrong with a new person, in words for the operator; nothing when they may be made. */
export const problemsOf = ({ email, firstName, lastName }: PersonFacts): string[] => [
  ...(emailSchema.safeParse(email).success ? [] : ['This is no email address']),
  ...[firstName, lastName].flatMap((name) =>
    name.length >= limits.accountName.min && name.length <= limits.accountName.max
      ? []
      : [`A name must have ${limits.accountName.min}-${limits.accountName.max} characters`],
  ),
];

/** A stored locale that is no longer offered falls back to the default. */
export const languageOf = (locale: string): Language =>
  languages.find((language) => language === locale) ?? defaultLanguage;

const symbols = '!#$%&*+-=?@^_~';
const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ';
const digits = '23456789';

/**
 * A password as the specification's generator makes it: eleven letters and digits, then one symbol.
 * @param pick a uniform random integer below its argument
 */
export const generatePassword = (pick: (below: number) => number): string => {
  const one = (from: string) => from.charAt(pick(from.length));
  const rest = Array.from({ length: limits.password.generated - 2 }, () => one(letters + digits));
  // The letter and the digit that the rule wants stand first; what is random about the others is enough.
  return [one(letters), one(digits), ...rest, one(symbols)].join('');
};
