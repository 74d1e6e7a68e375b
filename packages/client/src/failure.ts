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

  constructor(facts: {
    message: string;
    code: string | null;
    http: number;
    issues: readonly FieldIssue[];
    traceId: string | null;
  }) {
    super(facts.message);
    this.code = facts.code;
    this.http = facts.http;
    this.issues = facts.issues;
    this.traceId = facts.traceId;
  }
}
