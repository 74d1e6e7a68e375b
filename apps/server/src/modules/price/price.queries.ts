import type { BundleType } from '@simcube/contract/bundle';
import type { TariffSpec, TariffVersionSpec, ZoneSpec } from '@simcube/contract/price';
import type { Sql } from '../../platform/db/index.ts';

export interface StoredZone extends ZoneSpec {
  id: number;
}

const zoneColumns = `id, code, name, case when is_default then to_json('rest'::text) else to_json(countries) end as countries`;

/** All zones by code, locked against concurrent changes. */
export const lockZones = async (tx: Sql): Promise<StoredZone[]> => {
  await tx.query('lock table zones in share row exclusive mode');
  return listZones(tx);
};

export const listZones = async (sql: Sql): Promise<StoredZone[]> =>
  (await sql.query<StoredZone>(`select ${zoneColumns} from zones order by code`)).rows;

const columnsOf = ({ code, name, countries }: ZoneSpec) => [
  code,
  name,
  countries === 'rest',
  countries === 'rest' ? [] : countries.toSorted(),
];

export const insertZone = async (tx: Sql, zone: ZoneSpec): Promise<void> => {
  await tx.query(
    'insert into zones (code, name, is_default, countries) values ($1, $2, $3, $4)',
    columnsOf(zone),
  );
};

/** Changes the name and countries of a zone; versions that begin after the day adopt the countries. */
export const updateZone = async (tx: Sql, zone: ZoneSpec, today: string): Promise<void> => {
  await tx.query(
    'update zones set name = $2, is_default = $3, countries = $4 where code = $1',
    columnsOf(zone),
  );
  await tx.query(
    `update tariff_zone_prices p set countries = z.countries from zones z, tariff_versions v
     where z.code = $1 and p.zone_id = z.id and v.id = p.version_id and v.starts_on > $2::date`,
    [zone.code, today],
  );
};

export interface StoredTariff extends Omit<TariffSpec, 'versions'> {
  id: number;
}

export const lockTariff = async (tx: Sql, code: string): Promise<StoredTariff | undefined> =>
  (
    await tx.query<StoredTariff>('select id, code, name, currency from tariffs where code = $1 for update', [
      code,
    ])
  ).rows[0];

export const findTariffId = async (sql: Sql, code: string): Promise<number | undefined> =>
  (await sql.query<{ id: number }>('select id from tariffs where code = $1', [code])).rows[0]?.id;

/** @returns undefined when one with that code was just created */
export const insertTariff = async (
  tx: Sql,
  { code, name, currency }: Omit<StoredTariff, 'id'>,
): Promise<number | undefined> =>
  (
    await tx.query<{ id: number }>(
      'insert into tariffs (code, name, currency) values ($1, $2, $3) on conflict do nothing returning id',
      [code, name, currency],
    )
  ).rows[0]?.id;

export const updateTariffName = async (
  tx: Sql,
  { id, name }: { id: number; name: string },
): Promise<void> => {
  await tx.query('update tariffs set name = $2 where id = $1', [id, name]);
};

/** The versions of tariffs in the form of the file, by first day. */
export const listVersions = async (
  sql: Sql,
  tariffIds: readonly number[],
): Promise<Map<number, TariffVersionSpec[]>> => {
  const { rows } = await sql.query<{ tariff_id: number; version: TariffVersionSpec }>(
    `select tariff_id, json_build_object(
       'starts_on', starts_on,
       'bundles', (select coalesce(json_object_agg(b.code, json_build_object('activation', p.activation_micros,
          'cycle', p.cycle_micros, 'over', p.over_micros) order by b.code), '{}')
          from tariff_bundle_prices p join bundles b on b.id = p.bundle_id where p.version_id = v.id),
       'zones', (select coalesce(json_object_agg(z.code, p.usage_micros order by z.code), '{}')
          from tariff_zone_prices p join zones z on z.id = p.zone_id where p.version_id = v.id),
       'sms', json_build_object('mt', sms_mt_micros, 'mo', sms_mo_micros),
       'pool', json_build_object('cycle', pool_cycle_micros, 'over', pool_over_micros)) as version
     from tariff_versions v where tariff_id = any($1::bigint[]) order by tariff_id, starts_on`,
    [tariffIds],
  );
  const byTariff = new Map<number, TariffVersionSpec[]>(tariffIds.map((id) => [id, []]));
  for (const { tariff_id, version } of rows) byTariff.get(tariff_id)?.push(version);
  return byTariff;
};

/** Writes a version with all its prices, replacing one that begins on the same day. Its bundles and zones exist. */
export const writeVersion = async (tx: Sql, tariffId: number, version: TariffVersionSpec): Promise<void> => {
  const { starts_on, bundles, zones, sms, pool } = version;
  await deleteVersion(tx, tariffId, starts_on);
  const { rows } = await tx.query<{ id: number }>(
    `insert into tariff_versions
       (tariff_id, starts_on, sms_mt_micros, sms_mo_micros, pool_cycle_micros, pool_over_micros)
     values ($1, $2, $3, $4, $5, $6) returning id`,
    [tariffId, starts_on, sms.mt, sms.mo, pool.cycle, pool.over],
  );
  const id = rows[0]?.id;
  await tx.query(
    `insert into tariff_bundle_prices (version_id, bundle_id, activation_micros, cycle_micros, over_micros)
     select $1, b.id, (p.value ->> 'activation')::int8, (p.value ->> 'cycle')::int8, (p.value ->> 'over')::int8
     from json_each($2::json) as p join bundles b on b.code = p.key`,
    [id, JSON.stringify(bundles)],
  );
  await tx.query(
    `insert into tariff_zone_prices (version_id, zone_id, countries, usage_micros)
     select $1, z.id, z.countries, p.value::int8 from json_each_text($2::json) as p join zones z on z.code = p.key`,
    [id, JSON.stringify(zones)],
  );
};

export const deleteVersion = async (tx: Sql, tariffId: number, startsOn: string): Promise<void> => {
  await tx.query('delete from tariff_versions where tariff_id = $1 and starts_on = $2::date', [
    tariffId,
    startsOn,
  ]);
};

/** Types of the existing bundles with these codes. */
export const findBundleTypes = async (
  sql: Sql,
  codes: readonly string[],
): Promise<Map<string, BundleType>> => {
  const { rows } = await sql.query<{ code: string; type: BundleType }>(
    'select code, type from bundles where code = any($1)',
    [codes],
  );
  return new Map(rows.map(({ code, type }) => [code, type]));
};

/** The binding of an organisation in force on a day, and the last one. Locks the organisation. */
export const lockBindings = async (tx: Sql, orgCode: string) => {
  const { rows } = await tx.query<{ id: number; code: string }>(
    'select id, code from organisations where lower(code) = lower($1) for no key update',
    [orgCode],
  );
  const org = rows[0];
  if (!org) return undefined;
  const { rows: bindings } = await tx.query<{ starts_on: string; tariff: string | null }>(
    `select b.starts_on::text, t.code as tariff from org_tariffs b left join tariffs t on t.id = b.tariff_id
     where b.org_id = $1 order by b.starts_on`,
    [org.id],
  );
  return { org, bindings };
};

export const writeBinding = async (
  tx: Sql,
  { orgId, startsOn, tariffId }: { orgId: number; startsOn: string; tariffId: number | null },
): Promise<void> => {
  await tx.query(
    `insert into org_tariffs (org_id, starts_on, tariff_id) values ($1, $2, $3)
     on conflict (org_id, starts_on) do update set tariff_id = excluded.tariff_id`,
    [orgId, startsOn, tariffId],
  );
};

export interface TariffLine extends StoredTariff {
  /** First days of the versions, in order. */
  versions: string[];
  /** Organisations bound to it, now or from a later day on. */
  organisations: { code: string; starts_on: string }[];
}

/** Tariffs by code. */
export const listTariffs = async (
  sql: Sql,
  { limit, code = null }: { limit: number; code?: string | null },
): Promise<TariffLine[]> => {
  const { rows } = await sql.query<TariffLine>(
    `select t.id, t.code, t.name, t.currency,
       array(select starts_on::text from tariff_versions where tariff_id = t.id order by 1) as versions,
       (select coalesce(json_agg(json_build_object('code', o.code, 'starts_on', b.starts_on) order by o.code, b.starts_on), '[]')
        from org_tariffs b join organisations o on o.id = b.org_id where b.tariff_id = t.id) as organisations
     from tariffs t where $2::text is null or t.code = $2 order by t.code limit $1`,
    [limit, code],
  );
  return rows;
};
