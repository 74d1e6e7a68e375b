import { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import { iccidSchema } from '../identifiers.ts';
import { limits } from '../limits.ts';
import { taskStartedSchema } from '../task/schemas.ts';
import { iccidsSchema, simFilterSchema } from './schemas.ts';

/** So many ICCIDs in quotes, with what stands around them. */
export const selectionBodyBytes = limits.simsOfOperation * 26 + 65_536;
/** More of the shortest ICCIDs, in quotes and with a comma, don't fit into a body. */
const namedAtMost = Math.ceil(selectionBodyBytes / 21);

/** Which SIMs: named ones, or all that match a filter but some. */
export const simSelectionSchema = z.union([
  // None at all and too many are refused in the specification's words, not as a field that is too short or too long:
  // each operation has its own maximum.
  z.strictObject({ iccids: z.array(iccidSchema).max(namedAtMost) }),
  z.strictObject({ filter: simFilterSchema, except: iccidsSchema(1000).optional() }),
]);
export type SimSelection = z.output<typeof simSelectionSchema>;

/** What would become of a selection: how many change, and how many are refused for which reason. */
export const previewSchema = z.object({
  selected: z.number().int(),
  changing: z.number().int(),
  refused: z.array(
    z.object({
      code: z.string(),
      message: z.string(),
      count: z.number().int(),
      /** The first ones. */
      iccids: z.array(z.string()),
    }),
  ),
});
export type Preview = z.output<typeof previewSchema>;

/** With `preview` nothing is done: the answer says what would be. Without, the work becomes a task. */
export const operationBody = z.strictObject({
  selection: simSelectionSchema,
  preview: z.boolean().default(false),
});
export const operationAnswerSchema = z.object({
  preview: previewSchema.nullable(),
  task: taskStartedSchema.nullable(),
});
export type OperationAnswer = z.output<typeof operationAnswerSchema>;

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
/** Reasons for which a single SIM is refused stand in preview and report, not in the answer's code, unless all are. */
export const simOperation = {
  method: 'POST',
  response: operationAnswerSchema,
  retry: 'never',
  maxBodyBytes: selectionBodyBytes,
} as const;
