import { limits } from '@simcube/contract';
import { dayMs } from '@simcube/contract/time';

/** Tokens are a prefix, by which a leaked one is recognised, and 256 random bits. */
const tokenPrefix = 'sci_';
const tokenPattern = new RegExp(`^${tokenPrefix}[A-Za-z0-9_-]{43}$`);

export const invitationTokenOf = (random: Buffer): string => `${tokenPrefix}${random.toString('base64url')}`;

/** Whether a text has the form of a token; others are refused without a query. */
export const isInvitationToken = (token: string): boolean => tokenPattern.test(token);

export const invitationEnd = (now: Date): Date => new Date(now.getTime() + limits.invitationDays * dayMs);
