import type { PermissionMap, Role } from '@simcube/contract';

/** The person behind a call. */
export interface Principal {
  userId: string;
  sessionId: string;
  email: string;
  name: string;
}

/** The organisation that a call is about, and what the person may do in it. */
export interface OrgContext {
  id: number;
  code: string;
  tenantId: string;
  role: Role;
  permissions: PermissionMap;
}

/**
 * What a token stands for. `missing` and `expired` ask for a new sign-in (401), `unknown` was never ours (400),
 * `ended` was closed elsewhere (200 with result 0502).
 */
export type Authentication =
  | { kind: 'ok'; principal: Principal }
  | { kind: 'missing' | 'expired' | 'unknown' | 'ended' };

/** Who may do what, as the HTTP layer asks it; the identity and org modules answer. */
export interface AccessControl {
  authenticate(token: string | undefined): Promise<Authentication>;
  /** The person's membership behind the headers of a call; undefined when there is none. */
  resolveOrg(
    principal: Principal,
    wanted: { tenantId: string | undefined; partnerCode: string | undefined },
  ): Promise<OrgContext | undefined>;
}
