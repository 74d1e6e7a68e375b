import type { Actor, OrgContext, Principal } from '../../../platform/access/index.ts';

/** Who manages accounts, and of which organisation. */
export interface Caller {
  orgId: number;
  userId: string;
  actor: Actor;
}

/** What of a call says on whose behalf it is. */
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
