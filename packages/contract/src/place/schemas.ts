import { z } from 'zod';

/** Degrees (WGS 84), as a number in the address. */
const degrees = (most: number) =>
  z
    .string()
    .regex(/^[+-]?\d{1,3}(\.\d{1,15})?$/)
    .transform(Number)
    .pipe(z.number().min(-most).max(most));

export const coordinatesSchema = z.strictObject({ longitude: degrees(180), latitude: degrees(90) });

/** A place in words. */
export const placeSchema = z.object({
  /** For people, in their language: town and country, or what the maps service calls it; empty at sea. */
  name: z.string(),
  /** The nearest town in that country, at most 50 km away. */
  town: z.string().nullable(),
  /** ISO 3166-1 alpha-2; null at sea. */
  country: z.string().nullable(),
  /** Who is to be named beside it. */
  attribution: z.string(),
});
export type Place = z.output<typeof placeSchema>;
