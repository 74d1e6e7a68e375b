import { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import { iccidSchema } from '../identifiers.ts';
import type { IssueKey } from '../issues.ts';
import { limits } from '../limits.ts';
import { checkOrder } from '../order.ts';
import { taskStartedSchema } from '../task/schemas.ts';
import { iccidsSchema, simFilterSchema } from './schemas.ts';

/** Size of the maximum number of quoted ICCIDs with the rest of the body. */
export const selectionBodyBytes = limits.simsOfOperation * 26 + 65_536;
/** Maximum number of the shortest ICCIDs, quoted and with a comma, that fit into a body. */
const maxListedIccids = Math.ceil(selectionBodyBytes / 21);

/** A search of invisible characters alone, which a list ignores, must not select every SIM. */
const selectionFilterSchema = simFilterSchema.superRefine(checkOrder).refine(({ search }) => search !== '', {
  error: 'invisibleText' satisfies IssueKey,
  path: ['search'],
});

/** A selection of SIMs: listed ones, or all that match a filter, with exceptions. */
export const simSelectionSchema = z.union([
  // An empty list and too many ICCIDs are refused later, with the specification's messages rather than as a field that is too
  // short or too long; each operation has its own maximum.
  z.strictObject({ iccids: z.array(iccidSchema).max(maxListedIccids) }),
  z.strictObject({ filter: selectionFilterSchema, except: iccidsSchema(1000).optional() }),
]);
export type SimSelection = z.output<typeof simSelectionSchema>;

/** SHA-256 in hexadecimal. */
export const previewDigestSchema = z.string().regex(/^[0-9a-f]{64}$/);

/** Preview of an operation on a selection: number of SIMs that change, and of those refused for each reason. */
export const previewSchema = z.object({
  selected: z.number().int(),
  changing: z.number().int(),
  /** Digest of the SIMs that change. */
  digest: previewDigestSchema,
  refused: z.array(
    z.object({
      code: z.string(),
      message: z.string(),
      count: z.number().int(),
      /** ICCIDs of the first ones. */
      iccids: z.array(z.string()),
    }),
  ),
});
export type Preview = z.output<typeof previewSchema>;

/**
 * What the caller agrees to. With `preview`, nothing is changed and the response describes the effect; without it, the work
 * becomes a task. An order that contains the digest of the accepted preview is refused (CB-01-0032) if it would now change other
 * SIMs, for example because more match the filter; one without it changes the SIMs that match when it is accepted.
 */
export const agreementShape = {
  preview: z.boolean().default(false),
  preview_digest: previewDigestSchema.optional(),
};
export interface Agreement {
  preview: boolean;
  preview_digest?: string | undefined;
}

export const operationBody = z.strictObject({ selection: simSelectionSchema, ...agreementShape });
export const operationResponseSchema = z.object({
  preview: previewSchema.nullable(),
  task: taskStartedSchema.nullable(),
});
export type OperationResponse = z.output<typeof operationResponseSchema>;

export const operateSims = { kind: 'permission', key: 'sim', action: 'operate' } as const;
/** "Only administrators are allowed to perform this operation" (specification, section 6). */
export const manageSims = {
  kind: 'permission',
  key: 'sim',
  action: 'write',
  refused: 'CB-01-0014',
} as const;

export const operationErrors = [
  'CB-01-0002',
  'CB-01-0005',
  'CB-01-0010',
  'CB-01-0012',
  'CB-01-0032',
  'CB-09-0015',
] as const satisfies readonly ErrorCode[];
/** Reasons for refusing individual SIMs are in the preview and report; the response has an error code only if all are refused. */
export const simOperation = {
  method: 'POST',
  response: operationResponseSchema,
  retry: 'never',
  maxBodyBytes: selectionBodyBytes,
} as const;
