import { z } from 'zod';
import { dateSchema, iccidSchema } from '../identifiers.ts';
import { fileFormatSchema, fileFormats } from '../task/schemas.ts';

/** Access and parameters that calls about one SIM share. */
export const readSims = { kind: 'permission', key: 'sim', action: 'read' } as const;
export const simParams = z.strictObject({ iccid: iccidSchema });
export const simNotFound = ['CB-01-0001'] as const;

export const daysSchema = z.strictObject({ from: dateSchema, to: dateSchema });
export const simExportParams = simParams.extend({ format: fileFormatSchema.default('csv') });
export const exportErrors = ['CB-01-0001', 'CB-09-0010', 'CB-09-0011'] as const;
/** Section 8: an export of one SIM is small enough for a response, so the file is returned immediately. */
export const simFileCall = {
  method: 'POST',
  access: readSims,
  response: 'file',
  formats: fileFormats,
  retry: 'safe',
  audit: 'none',
  weight: 10,
} as const;
