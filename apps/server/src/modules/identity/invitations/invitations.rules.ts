import { limits } from '@simcube/contract';
import { dayMs } from '@simcube/contract/time';
import { tokenKind } from '../tokens.rules.ts';

export const { tokenOf: invitationTokenOf, isToken: isInvitationToken } = tokenKind('sci_');

export const invitationEnd = (now: Date): Date => new Date(now.getTime() + limits.invitationDays * dayMs);
