import type { FieldIssue } from '@simcube/contract';

/** Why a call did not succeed. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure';
  /** `CB-MM-EEEE` of the contract's catalogue; null when what answered was no SimCube. */
  readonly code: string | null;
  /** HTTP status. */
  readonly http: number;
  /** What is wrong at which field. */
  readonly issues: readonly FieldIssue[];
  /** To quote to support, and to find in the API log. */
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
