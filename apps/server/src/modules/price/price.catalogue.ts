import { tariffSpecSchema, type ZoneSpec, zoneSpecSchema } from '@simcube/contract/price';
import type { CataloguePart } from '../../platform/catalogue/index.ts';
import { listTariffs, listVersions, listZones } from './price.queries.ts';
import { formatMicros } from './price.rules.ts';
import { applyTariffs } from './tariffs/tariffs.service.ts';
import { applyZones } from './tariffs/zones.service.ts';

export const zoneCatalogue: CataloguePart<typeof zoneSpecSchema> = {
  list: 'zones',
  entry: zoneSpecSchema,
  maxEntries: 300,
  apply: applyZones,
  read: async (sql) => (await listZones(sql)).map(({ id: _, ...zone }): ZoneSpec => zone),
};

const maxTariffs = 1000;

export const tariffCatalogue: CataloguePart<typeof tariffSpecSchema> = {
  list: 'tariffs',
  entry: tariffSpecSchema,
  maxEntries: maxTariffs,
  apply: applyTariffs,
  read: async (sql) => {
    const tariffs = await listTariffs(sql, { limit: maxTariffs });
    const versions = await listVersions(
      sql,
      tariffs.map(({ id }) => id),
    );
    return tariffs.map(({ id, code, name, currency }) => ({
      code,
      name,
      currency,
      versions: (versions.get(id) ?? []).map(({ starts_on, bundles, zones, sms, pool }) => ({
        starts_on,
        bundles: mapped(bundles, amounts),
        zones: amounts(zones),
        sms: amounts(sms),
        pool: amounts(pool),
      })),
    }));
  },
};

const mapped = <K extends string, V, W>(values: Record<K, V>, map: (value: V) => W): Record<K, W> =>
  Object.fromEntries(Object.entries<V>(values).map(([key, value]) => [key, map(value)])) as Record<K, W>;

const amounts = <K extends string>(micros: Record<K, number>) => mapped(micros, formatMicros);
