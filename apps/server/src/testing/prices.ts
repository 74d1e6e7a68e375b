import { type TariffSpec, tariffSpecSchema } from '@simcube/contract/price';
import type pg from 'pg';
import { createBundle } from '../modules/bundle/index.ts';
import { addToPools } from '../modules/pool/index.ts';
import { importCdrs } from '../modules/usage/index.ts';
import type { TestApp } from './app.ts';
import { bundleOf } from './bundles.ts';
import { sourceOf } from './usage-records.ts';

const megabyte = 2 ** 20;
const networks = { DE: '262,01', JP: '440,10', US: '310,410', '': ',' } as const;

/** Prices of two bundles, Asia and the rest of the world, unless others are given. */
export const tariff = (own: Partial<Record<keyof TariffSpec, unknown>> = {}): TariffSpec =>
  tariffSpecSchema.parse({
    code: 'standard',
    name: 'Standard',
    currency: 'EUR',
    versions: [
      {
        starts_on: '2026-01-01',
        bundles: { EU: { activation: '1', cycle: '4.99', over: '0.015' }, TOP: { activation: 2.5 } },
        zones: { asia: '0.123456', rest: '1.500001' },
      },
    ],
    ...own,
  });

/** The bundles that it has prices for: EU covers Germany, with 10 MB a day, and TOP has 5 MB more. */
export const makePricedBundles = async (pool: pg.Pool): Promise<void> => {
  await pool.query(
    `insert into networks values (262001, '262', '01', 'A', 'DE'), (440010, '440', '10', 'B', 'JP'),
       (310410, '310', '410', 'C', 'US') on conflict do nothing`,
  );
  await createBundle(
    pool,
    bundleOf({
      code: 'EU',
      quota_bytes: 10 * megabyte,
      overage_policy: 'billing',
      out_of_coverage_policy: 'billing',
      coverage_countries: ['DE'],
      reset_cycle: '24h day',
      duration_days: null,
    }),
  );
  await createBundle(
    pool,
    bundleOf({
      code: 'TOP',
      type: 'prepaid supplementary',
      quota_bytes: 5 * megabyte,
      overage_policy: 'stop',
    }),
  );
};

export interface CountryRecord {
  at: string;
  bytes: number;
  country: keyof typeof networks;
}

let files = 0;

/** Usage that comes by file. A record is known by its instant: the same once more counts once. */
export const takeRecords = (
  { database, clock }: TestApp,
  iccid: string,
  records: readonly CountryRecord[],
) => {
  files += 1;
  const lines = records.map(
    ({ at, bytes, country }) => `${iccid},${at},${at},${bytes},0,${networks[country]}`,
  );
  const text = `iccid,record_id,ended_at,up_bytes,down_bytes,mcc,mnc\n${lines.join('\n')}\n`;
  return importCdrs({
    countForPools: addToPools,
    pool: database.pool,
    clock,
    source: { ...sourceOf(text), name: `usage-${files}.csv` },
  });
};
