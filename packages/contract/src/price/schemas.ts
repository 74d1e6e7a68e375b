import { z } from 'zod';
import { coverageCountries } from '../bundle/schemas.ts';
import { dateSchema } from '../identifiers.ts';
import { textSchema } from '../text.ts';

/** Zones and tariffs, as the operator writes them in the catalogue (`simcube catalogue`). */

const codeSchema = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/);

/** ISO 4217. */
export const currencySchema = z.string().regex(/^[A-Z]{3}$/);

const decimal = /^\d{1,9}(\.\d{1,6})?$/;
const toMicros = (text: string): number => {
  const [whole = '', part = ''] = text.split('.');
  return Number(whole) * 1_000_000 + Number(part.padEnd(6, '0'));
};

/** An amount in input, such as 0.05, stored in millionths: at most nine digits before the decimal point and six after it. */
const amountSchema = z
  .union([z.string(), z.number()])
  .transform(String)
  .refine((text) => decimal.test(text), 'must be an amount such as 0.05, with at most six decimals')
  .transform(toMicros)
  // JSON Schema for editors, which cannot express the refinement: the pattern applies to strings, the limits to numbers.
  .meta({
    description: 'an amount in the tariff’s currency, such as 0.05',
    pattern: decimal.source,
    minimum: 0,
    exclusiveMaximum: 1_000_000_000,
  });

const optionalAmount = amountSchema.default(0);

export const zoneSpecSchema = z.strictObject({
  code: codeSchema,
  name: textSchema({ max: 60 }),
  /** ISO 3166-1 alpha-2; "rest": all countries that are in no other zone. */
  countries: z.union([coverageCountries.min(1), z.literal('rest')]),
});
export type ZoneSpec = z.output<typeof zoneSpecSchema>;

const bundlePricesSchema = z.strictObject({
  /** Charged once, when an order is activated. */
  activation: optionalAmount,
  /** For each cycle that starts. */
  cycle: optionalAmount,
  /** Per started MB beyond the quota, or per started block if the bundle is priced in blocks. */
  over: optionalAmount,
});

const versionSpecSchema = z.strictObject({
  /** A business day. */
  starts_on: dateSchema,
  /** By bundle code. */
  bundles: z.record(codeSchema, bundlePricesSchema).default({}),
  /** Per started MB out of coverage, by zone code. */
  zones: z.record(codeSchema, amountSchema).default({}),
  /** Per part of a message to a SIM (`mt`) and from a SIM (`mo`). */
  sms: z.strictObject({ mt: optionalAmount, mo: optionalAmount }).default({ mt: 0, mo: 0 }),
  /** Per cycle of a pool, and per started MB beyond its limit. */
  pool: z.strictObject({ cycle: optionalAmount, over: optionalAmount }).default({ cycle: 0, over: 0 }),
});
export type TariffVersionSpec = z.output<typeof versionSpecSchema>;

export const maxTariffVersions = 200;

export const tariffSpecSchema = z.strictObject({
  code: codeSchema,
  name: textSchema({ max: 60 }),
  currency: currencySchema,
  versions: z.array(versionSpecSchema).min(1).max(maxTariffVersions),
});
export type TariffSpec = z.output<typeof tariffSpecSchema>;
