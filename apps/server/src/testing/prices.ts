import { type TariffSpec, tariffSpecSchema } from '@simcube/contract/price';
import type pg from 'pg';
import type { z } from 'zod';
import { operatorActor } from '../modules/audit/index.ts';
import { createBundle } from '../modules/bundle/index.ts';
import { orderBundle } from '../modules/bundle/lifecycle/ordering.service.ts';
import { addToPools, listPooledSpans } from '../modules/pool/index.ts';
import { type CostQuery, costsOf } from '../modules/price/costs/cost.service.ts';
import { bindTariff } from '../modules/price/index.ts';
import type { costsRisen } from '../modules/price/price.events.ts';
import { applyTariffs } from '../modules/price/tariffs/tariffs.service.ts';
import { applyZones } from '../modules/price/tariffs/zones.service.ts';
import { importCdrs, networkUsage } from '../modules/usage/index.ts';
import { inTransaction } from '../platform/db/index.ts';
import type { TestApp } from './app.ts';
import { bundleOf } from './bundles.ts';
import { makeSim } from './inventory.ts';
import { sourceOf } from './usage-records.ts';

const megabyte = 2 ** 20;
const networks = { DE: '262,01', JP: '440,10', US: '310,410', '': ',' } as const;

/** Prices for two bundles, Asia and the rest of the world, by default. */
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

/**
 * Zones of Asia and the rest of the world, tariffs with prices for them, and organisations bound to the first
 * tariff since the beginning of 2026.
 */
export const applyPrices = (
  { database: { pool }, clock }: Pick<TestApp, 'database' | 'clock'>,
  {
    tariffs = [tariff()],
    organisations,
  }: { tariffs?: readonly TariffSpec[]; organisations: readonly string[] },
): Promise<void> =>
  inTransaction(pool, async (tx) => {
    const by = { actor: operatorActor(), at: clock.now() };
    const asia = { code: 'asia', name: 'Asia', countries: ['JP', 'IN'] };
    await applyZones(tx, [asia, { code: 'rest', name: 'Rest of the world', countries: 'rest' }], by);
    await applyTariffs(tx, tariffs, by);
    for (const organisation of organisations)
      await bindTariff(tx, { organisation, tariff: tariffs[0]?.code ?? null, from: '2026-01-01' }, by);
  });

/** The bundles that the tariff has prices for: EU covers Germany, with 10 MB a day, and TOP adds 5 MB. */
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
      orderable: true,
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

/** Costs of SIMs' running cycles, assembled as in the server. */
export const testCosts =
  (pool: pg.Pool) =>
  (query: CostQuery): ReturnType<typeof costsOf> =>
    costsOf({ pool, networkUsage, listPooledSpans }, query);

/** Imports usage from a file. A record is identified by its instant: repeated, it counts once. */
export const importUsage = (
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

/** A SIM on the network, with orders for these bundles from one instant on. */
export const makeSimWithBundles = async (
  { database: { pool } }: Pick<TestApp, 'database'>,
  { orgId, now, bundles = ['EU'] }: { orgId: number; now: Date; bundles?: readonly string[] | undefined },
) => {
  const sim = await makeSim(pool, orgId, { lifecycle: 'active' });
  for (const bundleCode of bundles)
    await inTransaction(pool, (tx) => orderBundle(tx, { iccids: [sim.iccid], bundleCode, count: 1, now }));
  return sim;
};

/** A SIM's usage since an instant, by country, from the records alone. */
export const bytesByCountry = async (
  { database }: Pick<TestApp, 'database'>,
  simId: number,
  from: string,
): Promise<Map<string | null, number>> => {
  const { rows } = await database.pool.query<{ country: string | null; bytes: number }>(
    `select n.country, sum(up_bytes + down_bytes)::int8 as bytes from cdrs c left join networks n using (plmn)
     where sim_id = $1 and ended_at >= $2 group by 1`,
    [simId, from],
  );
  return new Map(rows.map(({ country, bytes }) => [country, bytes]));
};

/** Cost increases reported since the last call: SIM, currency, from and to how many cents. */
export const takeRises = async ({ database }: TestApp) => {
  const { rows } = await database.pool.query<{ payload: z.output<typeof costsRisen.payload> }>(
    `delete from outbox where topic = 'price.costs-risen' returning payload`,
  );
  return rows
    .flatMap(({ payload }) => payload.sims)
    .map(({ simId, currency, formerMicros, micros }) => [simId, currency, formerMicros / 1e4, micros / 1e4]);
};
