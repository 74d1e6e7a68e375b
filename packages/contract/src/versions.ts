import { z } from 'zod';

/** Of something that people edit: each change that is saved makes the next one. */
export const versionSchema = z.number().int().min(1).max(2_147_483_647);

/**
 * Of a change, the version that was edited: when it is another by now, the change is refused (CB-00-0409), and what was saved
 * meanwhile stays. Without it, the change is made to whatever is there.
 */
export const editedVersion = { version: versionSchema.optional() };
