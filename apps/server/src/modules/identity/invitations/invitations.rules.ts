import { limits } from '@simcube/contract';

const dayMs = 86_400_000;

/** Tokens are 256 random bits behind a prefix by which a leaked one is recognised. */
const tokenPrefix = 'sci_';
const tokenForm = new RegExp(`^${tokenPrefix}[A-Za-z0-9_-]{43}$`);

export const invitationTokenOf = (random: Buffer): string => `${tokenPrefix}${random.toString('base64url')}`;

/** Whether a token could be ours at all; what is not is refused without asking the database. */
export const isInvitationToken = (token: string): boolean => tokenForm.test(token);

export const invitationEnd = (now: Date): Date => new Date(now.getTime() + limits.invitationDays * dayMs);
