import { z } from 'zod';
import { instantSchema } from '../identifiers.ts';

/** Lights of a diagnose report: good, attention, fault, unknown. */
export const lights = ['good', 'warning', 'bad', 'unknown'] as const;
export type Light = (typeof lights)[number];
export const diagnoseChecks = [
  'card',
  'lifecycle',
  'order',
  'quota',
  'authorisation',
  'registration',
  'session',
  'apn',
  'ip',
  'imei',
  'coverage',
  'rejects',
] as const;
export type DiagnoseCheck = (typeof diagnoseChecks)[number];

export const diagnoseSchema = z.object({
  iccid: z.string(),
  device_name: z.string().nullable(),
  organisation: z.string(),
  made_at: instantSchema,
  overall: z.enum(lights),
  checks: z.array(
    z.object({
      check: z.enum(diagnoseChecks),
      light: z.enum(lights),
      /** Phrases: `diagnoseReport.findings.<finding>`, and what to do about it: `diagnoseReport.advice.<finding>`. */
      finding: z.string(),
      facts: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
      /** The finding in the caller's language. */
      sentence: z.string(),
      advice: z.string().nullable(),
    }),
  ),
});
export type Diagnose = z.output<typeof diagnoseSchema>;

/** A link to a shared report; only the link itself contains the secret id. */
export const diagnoseLinkSchema = z.object({
  id: z.string(),
  made_at: instantSchema,
  expires_at: instantSchema,
});
export type DiagnoseLink = z.output<typeof diagnoseLinkSchema>;
