import { lifecycleSchema } from '@simcube/contract/sim';
import { z } from 'zod';
import type { Undo } from '../../task/index.ts';
import type { OperationRule, SimFacts } from './sim-operation.rules.ts';

/** Who may order an operation may undo it. */
export const undoOf = ({ access: { key, action }, busy }: OperationRule<never>): Undo => ({
  by: 'sim-undo',
  access: { key, action },
  busy,
});

/** What a SIM was before an operation, as far as that changed it: its lifecycle, or of its info what was set. */
export const beforeSchema = z.union([
  z.strictObject({ lifecycle: lifecycleSchema }),
  z.strictObject({
    deviceName: z.string().nullable().optional(),
    notes: z.string().nullable().optional(),
    tags: z.array(z.string()).optional(),
  }),
]);
export type SimBefore = z.output<typeof beforeSchema>;

export const lifecycleBefore = ({ lifecycle }: SimFacts): SimBefore => ({ lifecycle });
