import { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import { iccidSchema } from '../identifiers.ts';
import { limits } from '../limits.ts';
import { taskStartedSchema } from '../task/schemas.ts';
import { iccidsSchema, simFilterSchema } from './schemas.ts';

/** Size of the maximum number of quoted ICCIDs with the rest of the body. */
export const selectionBodyBytes = limits.simsOfOperation * 26 + 65_536;
/** Maximum number of the shortest ICCIDs, quoted and with a comma, that fit into a body. */
const maxListedIccids = Math.ceil(selectionBodyBytes / 21);

/** A selection of SIMs: listed ones, or all that match a filter, with exceptions. */
export const simSelectionSchema = z.union([
  // An empty list and too many ICCIDs are refused later, with the specification's messages rather than as a field that is too
  // short or too long; each operation has its own maximum.
  z.strictObject({ iccids: z.array(iccidSchema).max(maxListedIccids) }),
  z.strictObject({ filter: simFilterSchema, except: iccidsSchema(1000).optional() }),
]);
export type SimSelection = z.output<typeof simSelectionSchema>;

/** Preview of an operation on a selection: number of SIMs that change, and of those refused for each reason. */
export const previewSchema = z.object({
  selected: z.number().int(),
  changing: z.number().int(),
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

/** With `preview`, nothing is changed and the response describes the effect; without it, the work becomes a task. */
export const operationBody = z.strictObject({
  selection: simSelectionSchema,
  preview: z.boolean().default(false),
});
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
  'CB-09-0015',
] as const satisfies readonly ErrorCode[];
/** Reasons for refusing individual SIMs are in the preview and report; the response has an error code only if all are refused. */
export const simOperation = {
  method: 'POST',
  response: operationResponseSchema,
  retry: 'never',
  maxBodyBytes: selectionBodyBytes,
} as const;
