import {
  type Envelope,
  type ErrorCode,
  errors,
  type FieldIssue,
  type Language,
  successCode,
  successResult,
} from '@simcube/contract';
import { errorText, phrase } from '@simcube/phrases';
import type { FailureDetails } from './failure.ts';
import { HandlerResult } from './handler-result.ts';

interface ResponseContext {
  language: Language;
  traceId: string;
}

export const successEnvelope = (
  result: unknown,
  { language, traceId }: ResponseContext,
): Envelope<unknown> => {
  const { data, meta } = result instanceof HandlerResult ? result : new HandlerResult(result ?? null, {});
  return {
    data,
    status: { success: true, code: successCode, message: phrase(language, 'common.success') },
    resultCode: successResult,
    ...(meta.total !== undefined && { total_count: meta.total, total_relation: meta.relation ?? 'eq' }),
    ...(meta.nextCursor !== undefined && { next_cursor: meta.nextCursor }),
    ...(meta.asOf && { as_of: meta.asOf.toISOString() }),
    ...(meta.snapshot !== undefined && { snapshot: meta.snapshot }),
    trace_id: traceId,
  };
};

export const failureEnvelope = (
  code: ErrorCode,
  { issues, values }: FailureDetails,
  { language, traceId }: ResponseContext,
): Envelope<null> => {
  const error = errors[code];
  const localizedIssues: FieldIssue[] | undefined = issues?.map((issue) => ({
    ...issue,
    message: phrase(language, `errors.issues.${issue.key}`, issue.values),
  }));
  return {
    data: null,
    status: {
      success: false,
      code,
      message: errorText(language, code, values),
      ...(localizedIssues && { detail: { issues: localizedIssues } }),
    },
    resultCode: 'result' in error ? error.result : code.slice(-4),
    trace_id: traceId,
  };
};
