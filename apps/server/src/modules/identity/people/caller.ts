import type { Actor, OrgContext, Principal } from '../../../platform/access/index.ts';

/** The person who manages accounts, and of which organisation. */
export interface Caller {
  orgId: number;
  userId: string;
  actor: Actor;
}

/** The parts of a call that identify the caller. */
export interface MemberCall {
  org: OrgContext;
  principal: Principal;
  actor: Actor;
}

export const callerOf = ({ org, principal, actor }: MemberCall): Caller => ({
  orgId: org.id,
  userId: principal.userId,
  actor,
});
