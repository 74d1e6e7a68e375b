import { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import { autoflowIdSchema } from './rule.ts';

export const read = { kind: 'permission', key: 'autoflow-cube', action: 'read' } as const;
/** Section 8: "authorized resource for autoflow writing does not exist". */
export const write = {
  kind: 'permission',
  key: 'autoflow-cube',
  action: 'write',
  refused: 'CB-05-0001',
} as const;
export const base = '/rule-engine/auto_flow/cube' as const;
export const ruleParams = z.strictObject({ ruleId: autoflowIdSchema });
export const notFound = ['CB-05-0002'] as const satisfies readonly ErrorCode[];
