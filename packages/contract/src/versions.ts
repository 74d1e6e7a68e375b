import { z } from 'zod';

/** Version of an editable object: each saved change increments it. */
export const versionSchema = z.number().int().min(1).max(2_147_483_647);

/**
 * The version that a change is based on: if the current version differs, the change is refused (CB-00-0409), so that changes
 * saved by others are not overwritten. If omitted, the change is applied to the current version.
 */
export const editedVersion = { version: versionSchema.optional() };
