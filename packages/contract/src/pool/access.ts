import { z } from 'zod';
import type { ErrorCode } from '../errors.ts';

/** Access and parameters that calls about pools share. */
export const readPools = { kind: 'permission', key: 'shared-pool-cube', action: 'read' } as const;
export const poolNotFound = ['CB-03-0001'] as const satisfies readonly ErrorCode[];
export const poolIdSchema = z.string().regex(/^\d{1,18}$/);
