import type { FieldIssue } from '@simcube/contract';

export interface ApiFailureFacts {
  /** `CB-MM-EEEE` of the contract's catalogue, or null when no server of ours answered. */
  code: string | null;
  /** Four-digit code of the envelope where the specification names one. */
  resultCode: string | null;
  /** HTTP status; 0 without an answer. */
  http: number;
  /** Says what happened, in the person's language. */
  message: string;
  /** What is wrong at which field. */
  issues: readonly FieldIssue[];
  /** To quote to support. */
  traceId: string | null;
  /** For how long the server wants to be left alone (RFC 9110, 10.2.3). */
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

/** Why a call did not succeed. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  readonly code: string | null;
  readonly resultCode: string | null;
  readonly http: number;
  readonly issues: readonly FieldIssue[];
  readonly traceId: string | null;
  readonly retryAfterMs: number | undefined;

  constructor(facts: ApiFailureFacts) {
    super(facts.message, { cause: facts.cause });
    this.code = facts.code;
    this.resultCode = facts.resultCode;
    this.http = facts.http;
    this.issues = facts.issues;
    this.traceId = facts.traceId;
    this.retryAfterMs = facts.retryAfterMs;
  }
}
