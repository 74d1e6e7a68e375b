import type { ErrorCode, InputIssue } from '@simcube/contract';

/** A coded error: thrown anywhere below a route, answered in the envelope in the caller's language. */
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
  /** Where in the input the trouble lies. */
  issues?: InputIssue[] | undefined;
  /** Values for the message's places. */
  values?: Record<string, string | number> | undefined;
  /** When the same call may go well: of a lock, how long it lasts. */
  retryAfterSeconds?: number | undefined;
  /** What went wrong on our side; for the log. */
  cause?: unknown;
}

/** Ends the call with a coded error. */
export const fail = (code: ErrorCode, details?: FailureDetails): never => {
  throw new Failure(code, details);
};
