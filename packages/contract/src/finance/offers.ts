import { z } from 'zod';
import { dateSchema, instantSchema } from '../identifiers.ts';
import { minorSchema } from '../price/cost.ts';
import { billLineKinds, billMonthSchema, billUnits, namedSchema } from './schemas.ts';

/** A line of the arithmetic: quantity × price, rounded once. */
export const offerLineSchema = z.object({
  kind: z.enum(billLineKinds),
  zone: namedSchema.nullable(),
  tariff: namedSchema.extend({ starts_on: dateSchema }),
  quantity: z.number().int(),
  unit: z.enum(billUnits),
  price_micros: z.number().int(),
  amount_minor: minorSchema,
});
export type OfferLine = z.output<typeof offerLineSchema>;

/** Saving for SIMs on one bundle if they had been on another bundle, or in one shared pool, with the same usage. */
export const offerSchema = z.object({
  /** The organisation of the SIMs. */
  organisation: namedSchema,
  bundle: namedSchema,
  /** The other bundle, for each SIM on its own or for all in one pool like the organisation's pool of that name. */
  instead: z.object({ bundle: namedSchema, pool: z.string().nullable() }),
  sims: z.number().int(),
  /** The months, of the last three full ones, in which the SIMs had cycles; earliest first. */
  months: z.array(billMonthSchema),
  cycles: z.number().int(),
  currency: z.string().length(3),
  /** Totals of the lines. */
  was_minor: minorSchema,
  would_minor: minorSchema,
  /** One-time cost of the change: activations of the other bundle at today's prices. */
  change_minor: minorSchema,
  /** The actual cost minus the alternative cost and the cost of the change. */
  saving_minor: minorSchema,
  was: z.array(offerLineSchema),
  would: z.array(offerLineSchema),
});
export type Offer = z.output<typeof offerSchema>;

export const offersSchema = z.object({
  computed_at: instantSchema,
  /** The last three full months. */
  months: z.array(billMonthSchema),
  /** Months in which at least one cycle was compared. */
  compared: z.array(billMonthSchema),
  /** Largest saving first. */
  offers: z.array(offerSchema),
});
export type Offers = z.output<typeof offersSchema>;

export const offersResponseSchema = z.object({
  /** Whether the organisation is billed itself; others are sections of the bills of an organisation above. */
  billed: z.boolean(),
  /** Null until first computed. */
  offers: offersSchema.nullable(),
});
export type OffersResponse = z.output<typeof offersResponseSchema>;
