import type { ErrorCode, InputIssue } from '@simcube/contract';

/** A coded error, thrown anywhere below a route; the response is the envelope in the caller's language. */
export class Failure extends Error {
  readonly code: ErrorCode;
  readonly issues: InputIssue[] | undefined;
  readonly values: Record<string, string | number> | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, details: FailureDetails = {}) {
    super(code, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'Failure';
    this.code = code;
    this.issues = details.issues;
    this.values = details.values;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

export interface FailureDetails {
  /** Which fields of the input are wrong. */
  issues?: InputIssue[] | undefined;
  /** Values for the message's placeholders. */
  values?: Record<string, string | number> | undefined;
  /** After how many seconds the same call may succeed: for a lock, its duration. */
  retryAfterSeconds?: number | undefined;
  /** The internal cause, for the log. */
  cause?: unknown;
}

/** Throws a coded error. */
export const fail = (code: ErrorCode, details?: FailureDetails): never => {
  throw new Failure(code, details);
};
