import { z } from 'zod';

/** Degrees (WGS 84), as a number in the query. */
const degrees = (max: number) =>
  z
    .string()
    .regex(/^[+-]?\d{1,3}(\.\d{1,15})?$/)
    .transform(Number)
    .pipe(z.number().min(-max).max(max));

export const coordinatesSchema = z.strictObject({ longitude: degrees(180), latitude: degrees(90) });

/** The name of a place. */
export const placeSchema = z.object({
  /** In the caller's language: town and country, or the maps service's name for the place; empty at sea. */
  name: z.string(),
  /** The nearest town in that country, at most 50 km away. */
  town: z.string().nullable(),
  /** ISO 3166-1 alpha-2; null at sea. */
  country: z.string().nullable(),
  /** Attribution to show next to the name. */
  attribution: z.string(),
});
export type Place = z.output<typeof placeSchema>;
