import { z } from 'zod';
import { issueKeys } from './issues.ts';

/** A validation error with its position in the input, so that a form can show it at the field. */
export const fieldIssueSchema = z.object({
  path: z.string(),
  /** Phrase key of `errors.issues.*`, with its values. */
  key: z.enum(issueKeys),
  values: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  message: z.string(),
});
export type FieldIssue = z.infer<typeof fieldIssueSchema>;

export const statusSchema = z.object({
  success: z.boolean(),
  code: z.string(),
  message: z.string(),
  detail: z
    .object({ issues: z.array(fieldIssueSchema) })
    .partial()
    .loose()
    .optional(),
});

/** The envelope of every JSON response. `data` has the endpoint's response schema; it is null if the call failed. */
export const envelopeOf = <S extends z.ZodType>(data: S) =>
  z.object({
    data,
    status: statusSchema,
    resultCode: z.string().length(4),
    total_count: z.int().nonnegative().optional(),
    /** `gte` if there are at least this many: totals are not counted beyond `limits.countedTotal`. */
    total_relation: z.enum(['eq', 'gte']).optional(),
    next_cursor: z.string().nullable().optional(),
    as_of: z.iso.datetime().optional(),
    /** Transactions whose facts the data includes (`includesEvent`); live events of other facts must be added to it. */
    snapshot: z
      .string()
      .regex(/^\d{1,20}:\d{1,20}:[\d,]*$/)
      .optional(),
    trace_id: z.string(),
  });

export const failureSchema = envelopeOf(z.null());

export interface Envelope<T> {
  data: T;
  status: z.infer<typeof statusSchema>;
  resultCode: string;
  total_count?: number | undefined;
  total_relation?: 'eq' | 'gte' | undefined;
  next_cursor?: string | null | undefined;
  as_of?: string | undefined;
  snapshot?: string | undefined;
  trace_id: string;
}
