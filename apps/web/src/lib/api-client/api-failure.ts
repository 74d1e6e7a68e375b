import type { FieldIssue } from '@simcube/contract';

export interface ApiFailureFacts {
  /** `CB-MM-EEEE` of the contract's catalogue, or null if the response did not come from our server. */
  code: string | null;
  /** Four-digit code of the envelope, if the specification defines one. */
  resultCode: string | null;
  /** HTTP status; 0 without a response. */
  http: number;
  /** The error message, in the person's language. */
  message: string;
  /** Validation errors by field. */
  issues: readonly FieldIssue[];
  /** To quote to support. */
  traceId: string | null;
  /** The pause that the server asks for (RFC 9110, 10.2.3). */
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

/** The reason why a call failed. */
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

/** Temporary failures: no response, overload, server errors, and responses that did not come from our server. */
export const isTemporary = (failure: unknown): boolean =>
  failure instanceof ApiFailure &&
  (failure.http === 0 || failure.http === 429 || failure.http >= 500 || isForeign(failure));

/** Something between answered, such as a proxy while the server restarts: our server always sends a trace id. */
const isForeign = ({ code, traceId }: ApiFailure): boolean => code === null && traceId === null;
