import type { PermissionMap, Role } from '@simcube/contract';
import type { ActorKind, AuditAction, AuditSubjectKind } from '@simcube/contract/audit';
import type { Sql } from '../db/index.ts';

/** The person behind a call. */
export interface Principal {
  userId: string;
  sessionId: string;
  sessionBeganAt: Date;
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
  | { kind: 'ok'; principal: Principal }
  | { kind: 'missing' | 'expired' | 'unknown' | 'ended' };

/** Who may do what, as the HTTP layer asks it; the identity and org modules answer. */
export interface AccessControl {
  authenticate(token: string | undefined): Promise<Authentication>;
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
