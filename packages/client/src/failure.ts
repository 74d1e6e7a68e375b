import type { FieldIssue } from '@simcube/contract';

/** Why a call did not succeed. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure';
  /** `CB-MM-EEEE` of the contract's catalogue; null if the response was not SimCube's. */
  readonly code: string | null;
  /** HTTP status. */
  readonly http: number;
  /** Validation errors by field. */
  readonly issues: readonly FieldIssue[];
  /** Quote it to support, or search for it in the API log. */
  readonly traceId: string | null;

  constructor(details: {
    message: string;
    code: string | null;
    http: number;
    issues: readonly FieldIssue[];
    traceId: string | null;
  }) {
    super(details.message);
    this.code = details.code;
    this.http = details.http;
    this.issues = details.issues;
    this.traceId = details.traceId;
  }
}
