import { z } from 'zod';
import { dateSchema, instantSchema } from '../identifiers.ts';
import { minorSchema } from '../price/cost.ts';
import { billLineKinds, billMonthSchema, billUnits, named } from './schemas.ts';

/** A line of the arithmetic: quantity × price, rounded once. */
export const offerLineSchema = z.object({
  kind: z.enum(billLineKinds),
  zone: named.nullable(),
  tariff: named.extend({ starts_on: dateSchema }),
  quantity: z.number().int(),
  unit: z.enum(billUnits),
  price_micros: z.number().int(),
  amount_minor: minorSchema,
});
export type OfferLine = z.output<typeof offerLineSchema>;

/** What SIMs on one bundle would have cost less by another one, or as one shared pool, for the same usage. */
export const offerSchema = z.object({
  /** Whose SIMs they are. */
  organisation: named,
  bundle: named,
  /** Each SIM on another bundle, or all of them on it in one pool like the organisation's pool of that name. */
  instead: z.object({ bundle: named, pool: z.string().nullable() }),
  sims: z.number().int(),
  /** Those of the last three full months in which they had cycles, the first one first. */
  months: z.array(billMonthSchema),
  cycles: z.number().int(),
  currency: z.string().length(3),
  /** The sums of the lines. */
  was_minor: minorSchema,
  would_minor: minorSchema,
  /** What the change itself costs, once: activations of the other bundle at the prices of today. */
  change_minor: minorSchema,
  /** What it was, less what it would have been and the change. */
  saving_minor: minorSchema,
  was: z.array(offerLineSchema),
  would: z.array(offerLineSchema),
});
export type Offer = z.output<typeof offerSchema>;

export const offersSchema = z.object({
  computed_at: instantSchema,
  /** The last three full months. */
  months: z.array(billMonthSchema),
  /** Those that any cycle was compared in. */
  compared: z.array(billMonthSchema),
  /** Those that save most first. */
  offers: z.array(offerSchema),
});
export type Offers = z.output<typeof offersSchema>;

export const shownOffersSchema = z.object({
  /** The organisation is billed itself: others are sections of the bills of one above. */
  billed: z.boolean(),
  /** Null until they are first computed. */
  offers: offersSchema.nullable(),
});
export type ShownOffers = z.output<typeof shownOffersSchema>;
