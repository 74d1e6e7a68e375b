import { lifecycleSchema } from '@simcube/contract/sim';
import { z } from 'zod';
import type { Undo } from '../../task/index.ts';
import type { OperationRule, SimFacts } from './sim-operation.rules.ts';

/** A person who may order an operation may undo it. */
export const undoOf = ({ access: { key, action } }: OperationRule<never>): Undo => ({
  by: 'sim-undo',
  access: { key, action },
});

const heldSchema = z.strictObject({ until: z.iso.datetime(), rateKbps: z.int().positive().nullable() });

/**
 * The former state of a SIM as far as an operation changed it: its lifecycle and what held its data (null: nothing),
 * or the fields of its info that were set.
 */
export const beforeSchema = z.union([
  z.strictObject({ lifecycle: lifecycleSchema, held: heldSchema.nullable().optional() }),
  z.strictObject({ held: heldSchema.nullable() }),
  z.strictObject({
    deviceName: z.string().nullable().optional(),
    notes: z.string().nullable().optional(),
    tags: z.array(z.string()).optional(),
  }),
]);
export type SimBefore = z.output<typeof beforeSchema>;

export const lifecycleBefore = ({ lifecycle }: SimFacts) => ({ lifecycle });

export const heldBefore = (held: { until: Date; rateKbps: number | null } | undefined) => ({
  held: held ? { ...held, until: held.until.toISOString() } : null,
});
