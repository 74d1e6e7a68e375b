import { z } from 'zod';
import { coverageCountries } from '../bundle/schemas.ts';
import { dateSchema } from '../identifiers.ts';
import { textSchema } from '../text.ts';

/** What the operator writes into the catalogue: zones and tariffs (`simcube catalogue`). */

const codeSchema = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/);

/** ISO 4217. */
export const currencySchema = z.string().regex(/^[A-Z]{3}$/);

const decimal = /^\d{1,9}(\.\d{1,6})?$/;
const toMicros = (text: string): number => {
  const [whole = '', part = ''] = text.split('.');
  return Number(whole) * 1_000_000 + Number(part.padEnd(6, '0'));
};

/** An amount as it is written, such as 0.05, kept in millionths: at most nine digits before the point and six behind it. */
const amountSchema = z
  .union([z.string(), z.number()])
  .transform(String)
  .refine((text) => decimal.test(text), 'must be an amount such as 0.05, with at most six decimals')
  .transform(toMicros)
  // For editors, which know no refinement: the pattern is for texts, the limits for numbers.
  .meta({
    description: 'an amount in the tariff’s currency, such as 0.05',
    pattern: decimal.source,
    minimum: 0,
    exclusiveMaximum: 1_000_000_000,
  });

const free = amountSchema.default(0);

export const zoneSpecSchema = z.strictObject({
  code: codeSchema,
  name: textSchema({ max: 60 }),
  /** ISO 3166-1 alpha-2; "rest": every country that no other zone names. */
  countries: z.union([coverageCountries.min(1), z.literal('rest')]),
});
export type ZoneSpec = z.output<typeof zoneSpecSchema>;

const bundlePricesSchema = z.strictObject({
  /** Once, when an order is activated. */
  activation: free,
  /** For each cycle that begins. */
  cycle: free,
  /** Beyond the quota: each started MB, or each started block where the bundle is priced in blocks. */
  over: free,
});

const versionSpecSchema = z.strictObject({
  /** A business day. */
  starts_on: dateSchema,
  /** By the bundle's code. */
  bundles: z.record(codeSchema, bundlePricesSchema).default({}),
  /** Each started MB out of coverage, by the zone's code. */
  zones: z.record(codeSchema, amountSchema).default({}),
  /** Each part of a message to a SIM (`mt`), and from one (`mo`). */
  sms: z.strictObject({ mt: free, mo: free }).default({ mt: 0, mo: 0 }),
  /** A pool for each cycle, and each started MB beyond its limit. */
  pool: z.strictObject({ cycle: free, over: free }).default({ cycle: 0, over: 0 }),
});
export type TariffVersionSpec = z.output<typeof versionSpecSchema>;

export const mostTariffVersions = 200;

export const tariffSpecSchema = z.strictObject({
  code: codeSchema,
  name: textSchema({ max: 60 }),
  currency: currencySchema,
  versions: z.array(versionSpecSchema).min(1).max(mostTariffVersions),
});
export type TariffSpec = z.output<typeof tariffSpecSchema>;
