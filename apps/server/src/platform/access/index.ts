import type { PermissionMap, Role } from '@simcube/contract';
import type { ActorKind, AuditAction } from '@simcube/contract/audit';

/** The person who makes a call, authenticated by a session or by an API key. */
export interface Principal {
  userId: string;
  email: string;
  name: string;
  /** Null for a key, which does not end with the person's sessions. */
  sessionId: string | null;
  sessionBeganAt: Date | null;
  /** The key that signed the call. */
  key?: ApiKeyOfCall;
}

export interface SessionPrincipal extends Principal {
  sessionId: string;
  sessionBeganAt: Date;
}

/** A key acts in one organisation, with the permissions of its account there or fewer. */
export interface ApiKeyOfCall {
  id: string;
  name: string | null;
  orgId: number;
  tenantId: string;
  partnerCode: string;
  expiresAt: Date | null;
  /** Null: all permissions of the account. */
  rights: PermissionMap | null;
}

/** The parts of a request that its signature covers. */
export interface SignedRequest {
  method: string;
  /** Path and query as received. */
  target: string;
  /** As received: names and values alternate. */
  rawHeaders: readonly string[];
  hasBody: boolean;
  /** Whether the call may change anything, so that repeating it would do harm. */
  changes: boolean;
}

export interface VerifiedRequest {
  principal: Principal & { key: ApiKeyOfCall };
  /** SHA-256 that the body must have; undefined if there is no body. */
  digest: Buffer | undefined;
}

/** The organisation of a call, and what the person may do in it. */
export interface OrgContext {
  id: number;
  code: string;
  tenantId: string;
  role: Role;
  permissions: PermissionMap;
}

/**
 * Who does something, from where, and under which name the audit trail records it: taken from the call, passed
 * to services.
 */
export interface Actor {
  kind: ActorKind;
  id: string | null;
  name: string;
  address: string | null;
  traceId: string | null;
  /** The audit action of the endpoint record; undefined for calls that change nothing. */
  action: AuditAction | undefined;
}

/**
 * The result of checking a token. `missing` and `expired` require a new sign-in (401); `unknown` was never
 * issued here (400); `ended` was closed elsewhere (200 with result 0502).
 */
export type Authentication =
  | { kind: 'ok'; principal: SessionPrincipal }
  | { kind: 'missing' | 'expired' | 'unknown' | 'ended' };

/** Who may do what, as the HTTP layer needs it; implemented by the identity and org modules. */
export interface AccessControl {
  authenticate(token: string | undefined): Promise<Authentication>;
  /**
   * Verifies the signature of a call by an API key (RFC 9421) and uses up its nonce; the body must still be
   * compared with the digest.
   * @throws Failure CB-08-0004 to CB-08-0013
   */
  verify(request: SignedRequest): Promise<VerifiedRequest>;
  /**
   * The person's membership in the organisation that a call's headers name; undefined if there is none.
   * @throws Failure CB-07-0024 or CB-07-0026 when the caller does not meet the organisation's sign-in rules,
   * CB-00-0502 when the session was ended in this organisation
   */
  resolveOrg(
    principal: Principal,
    requested: { tenantId: string | undefined; partnerCode: string | undefined; address: string },
  ): Promise<OrgContext | undefined>;
}
