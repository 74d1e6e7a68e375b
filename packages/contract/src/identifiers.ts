import { z } from 'zod';
import type { IssueKey } from './issues.ts';

const invalidIccid: IssueKey = 'invalidIccid';
/** ITU-T E.118: up to 20 digits for IoT cards; the specification allows 18–22 alphanumerics. */
export const iccidSchema = z.string().regex(/^[0-9A-Za-z]{18,22}$/, invalidIccid);
/** 3GPP TS 23.003, 2.2: 6 to 15 digits. */
export const imsiSchema = z.string().regex(/^\d{6,15}$/);
/** ITU-T E.164 without '+': up to 15 digits. */
const e164 = /^\d{5,15}$/;
export const msisdnSchema = z.string().regex(e164);
const invalidPhone: IssueKey = 'invalidPhone';
/**
 * A phone number in input, refused with a single message (specification, section 5: international format without '+'). No
 * country code begins with 0 (E.164, annex D): such a number is a national one, or begins with an international call prefix.
 */
export const phoneSchema = z
  .string()
  .trim()
  .regex(/^[1-9]\d{4,14}$/, invalidPhone);
/** 3GPP TS 23.003, 6.2: IMEI 15 digits (14 without the check digit), IMEISV 16. */
export const imeiSchema = z.string().regex(/^\d{14,16}$/);
/** Years 1000 to 2999: the database has no year 0. */
const year = /^[12]\d{3}-/;
/** The format is in the OpenAPI document, which would have only the patterns. */
export const dateSchema = z.iso.date().regex(year).meta({ format: 'date' });
export const instantSchema = z.iso.datetime().regex(year).meta({ format: 'date-time' });
const firstUsageDay = '2000-01-01';
const checkUsageTime = (at: string, context: z.core.$RefinementCtx): void => {
  const minimum = Date.parse(firstUsageDay);
  if (at < firstUsageDay)
    context.addIssue({ code: 'too_small', origin: 'date', minimum, inclusive: true, input: at });
};
/** A date of requested usage, from the year 2000, so that the previous period is also a valid date. */
export const usageDateSchema = dateSchema.superRefine(checkUsageTime);
export const usageInstantSchema = instantSchema.superRefine(checkUsageTime);
/** Used instead of an ISO 3166-1 alpha-2 code for networks whose country is unknown. */
export const unknownCountry = 'ZZ';
/** `YYYY-MM` */
export const monthSchema = z.string().regex(/^[12]\d{3}-(0[1-9]|1[0-2])$/);
/** Bytes, up + down: a safe integer, at most 2^53 - 1 (8 PiB). Larger values are refused, never rounded (decision 13). */
export const bytesSchema = z.number().int().nonnegative();
