import type { PermissionMap, Role } from '@simcube/contract';
import type { ActorKind, AuditAction, AuditSubjectKind } from '@simcube/contract/audit';
import type { Sql } from '../db/index.ts';

/** The person behind a call, by a session or by an API key. */
export interface Principal {
  userId: string;
  email: string;
  name: string;
  /** Null for a key, which is not ended with the person's sessions. */
  sessionBeganAt: Date | null;
  /** The key that signed the call. */
  key?: ApiKeyOfCall;
}

export interface SessionPrincipal extends Principal {
  sessionId: string;
  sessionBeganAt: Date;
}

/** A key acts in one organisation, with the rights of its account there or fewer. */
export interface ApiKeyOfCall {
  id: string;
  name: string | null;
  orgId: number;
  tenantId: string;
  partnerCode: string;
  expiresAt: Date | null;
  /** Null: all rights of the account. */
  rights: PermissionMap | null;
}

/** What of a request its signature is about. */
export interface SignedRequest {
  method: string;
  /** Path and query as they were received. */
  target: string;
  /** As received: name and value in turn. */
  rawHeaders: readonly string[];
  hasBody: boolean;
  /** Whether the call may change anything: done twice, it would. */
  changes: boolean;
}

export interface VerifiedRequest {
  principal: Principal & { key: ApiKeyOfCall };
  /** SHA-256 that the body must have; undefined when there is none. */
  digest: Buffer | undefined;
}

/** The organisation that a call is about, and what the person may do in it. */
export interface OrgContext {
  id: number;
  code: string;
  tenantId: string;
  role: Role;
  permissions: PermissionMap;
}

/** Who does something, from where, and what the audit trail calls it: taken from the call, handed to services. */
export interface Actor {
  kind: ActorKind;
  id: string | null;
  name: string;
  address: string | null;
  traceId: string | null;
  /** Of the endpoint record; undefined for calls that change nothing. */
  action: AuditAction | undefined;
}

/** Writes an entry of the audit trail in the caller's transaction; the audit module does it. Called last in it. */
export type RecordAudit = (
  tx: Sql,
  entry: {
    orgId: number | null;
    actor: Actor;
    at: Date;
    subject: { kind: AuditSubjectKind; id: string; name: string };
    before?: Record<string, unknown> | null;
    after?: Record<string, unknown> | null;
  },
) => Promise<void>;

/**
 * What a token stands for. `missing` and `expired` ask for a new sign-in (401), `unknown` was never ours (400),
 * `ended` was closed elsewhere (200 with result 0502).
 */
export type Authentication =
  | { kind: 'ok'; principal: SessionPrincipal }
  | { kind: 'missing' | 'expired' | 'unknown' | 'ended' };

/** Who may do what, as the HTTP layer asks it; the identity and org modules answer. */
export interface AccessControl {
  authenticate(token: string | undefined): Promise<Authentication>;
  /**
   * Judges the signature of a call by an API key (RFC 9421) and uses its nonce up; the body is still to be compared with
   * the digest.
   * @throws Failure CB-08-0004 to CB-08-0013
   */
  verify(request: SignedRequest): Promise<VerifiedRequest>;
  /**
   * The person's membership behind the headers of a call; undefined when there is none.
   * @throws Failure CB-07-0024 or CB-07-0026 when the organisation demands what the caller does not fulfil, CB-00-0502
   * when the session was ended in this organisation
   */
  resolveOrg(
    principal: Principal,
    wanted: { tenantId: string | undefined; partnerCode: string | undefined; address: string },
  ): Promise<OrgContext | undefined>;
}
