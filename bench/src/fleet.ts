import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { lifecycleNumbers } from '@simcube/contract/sim';
import { dayMs } from '@simcube/contract/time';
import { imeiOf } from '@simcube/radius';
import type pg from 'pg';
import { syncNetworks } from '../../apps/server/src/modules/sim/index.ts';
import { ensurePartitions } from '../../apps/server/src/platform/db/index.ts';
import { vaultOf } from '../../apps/server/src/platform/secrets/index.ts';
import { type Cluster, withClient } from './cluster.ts';
import { type Installation, simcube } from './product.ts';

/** Organisations and people of a measured installation, created with the product's command line. */
export interface Fleet extends Installation {
  orgId: number;
  tenantId: string;
  email: string;
  password: string;
}

export const orgCode = 'BENCH';
export const radiusSecret = 'bench-secret';

/** A migrated database with an operator, one person and a RADIUS client, and partitions for a number of past days. */
export const makeFleet = async (
  cluster: Cluster,
  { database, pastDays, project }: { database: string; pastDays: number; project?: string },
): Promise<Fleet> => {
  await cluster.drop(database);
  const installation: Installation = {
    databaseUrl: await cluster.create(database),
    dataDir: join(cluster.directory, `product-${database}`),
    secretKey: randomBytes(32).toString('hex'),
    ...(project !== undefined && { project }),
  };
  const email = 'admin@bench.example';
  const nameOptions = ['--name', 'Bench Limited', '--country', 'DE', '--json'];
  const organisation: { id: number; tenantId: string } = JSON.parse(
    simcube(installation, ['orgs', 'create', orgCode, ...nameOptions]),
  );
  const admin: { password: string } = JSON.parse(
    simcube(installation, [
      'users',
      'create-superadmin',
      email,
      '--org',
      orgCode,
      '--generate-password',
      '--json',
    ]),
  );
  await withClient(installation.databaseUrl, async (client) => {
    await ensurePartitions(client, new Date(Date.now() - pastDays * dayMs), new Date(Date.now() + dayMs));
    await client.query(
      `insert into radius_clients (name, network, sealed_secret, require_message_authenticator)
       values ('bench', '127.0.0.1/32', $1, false)`,
      [vaultOf(Buffer.from(installation.secretKey, 'hex')).seal(radiusSecret)],
    );
  });
  return {
    ...installation,
    orgId: organisation.id,
    tenantId: organisation.tenantId,
    email,
    password: admin.password,
  };
};

export const firstImsi = 262_030_000_000_000;

/** Identifiers of the SIM with this number, as created by `fill`. */
export const iccidOf = (index: number): string => `8949030${String(index).padStart(12, '0')}`;
export const imsiOf = (index: number): string => String(firstImsi + index);

/** A pseudo-random number from 0 to 2^31 - 1, always the same for the same row and purpose. */
const pseudoRandom = (purpose: number): string => `(hashint8(i * 31 + ${purpose}) & 2147483647)`;

const pickWord = (list: readonly string[], purpose: number): string =>
  `(array[${list.map((word) => `'${word}'`).join(', ')}])[1 + ${pseudoRandom(purpose)} % ${list.length}]`;

const cityNames = ['Berlin', 'Madrid', 'Warsaw', 'Lyon', 'Porto', 'Graz', 'Turin', 'Oslo', 'Ghent', 'Brno'];
const kindNames = ['Meter', 'Tracker', 'Truck', 'Camera', 'Kiosk', 'Scooter'];

/** One SIM in 20,000 has this word in its name, another one in 20,000 has it as a tag. */
export const rareWord = 'Zeppelin';
export const rareTag = 'rare';
export const commonTag = 'fleet';
export const bundleCode = (number: number): string => `BENCH-${number}`;
export const rareApn = 'm2m.bench';
const commonApn = 'iot.example';
const bundles = 8;
const rareEvery = 20_000;

/** One in `rareEvery` has a different value from the others. */
const rareOrCommon = (purpose: number, rare: string, common: string): string =>
  `case when i % ${rareEvery} = ${purpose} then ${rare} else ${common} end`;

const simsSql = `
  insert into sims (org_id, iccid, imsi, msisdn, last_imei, device_name, notes, tags, lifecycle,
    lifecycle_changed_at, activated_at, expires_at, bundle_id, apn, imei_changed_at, delivery_note_number,
    shipment_on, chip_grade, technology, fixed_ip, sms_suspended)
  select $1, '8949030' || lpad(i::text, 12, '0'), (${firstImsi} + i)::text,
    ${rareOrCommon(79, 'null', "'4915' || lpad(i::text, 9, '0')")},
    '35' || lpad(((i * 7919) % 10000000000000)::text, 13, '0'),
    case when ${pseudoRandom(1)} % 20 > 0 then ${pickWord(kindNames, 2)} || ' ' || ${pickWord(cityNames, 3)} || ' '
      || case when i % ${rareEvery} = 77 then '${rareWord} ' else '' end || i end,
    case when ${pseudoRandom(4)} % 4 = 0 then 'Installed by team ' || ${pseudoRandom(5)} % 300 end,
    array['${commonTag}', 'site-' || ${pseudoRandom(6)} % 2000]
      || case when i % ${rareEvery} = 78 then array['${rareTag}'] else '{}' end,
    (array[23, 23, 23, 23, 23, 23, 23, 23, 10, 10, 30, 30, 40, 40, 40, 50])[1 + ${pseudoRandom(7)} % 16],
    now() - make_interval(days => ${pseudoRandom(8)} % 80), now() - make_interval(days => ${pseudoRandom(8)} % 700),
    case when ${pseudoRandom(9)} % 10 > 0 then now() + make_interval(hours => ${pseudoRandom(10)} % 9600 - 600) end,
    (select min(id) from bundles) + ${pseudoRandom(11)} % ${bundles}, ${rareOrCommon(80, `'${rareApn}'`, `'${commonApn}'`)},
    case when ${pseudoRandom(12)} % 50 = 0 then now() - make_interval(hours => ${pseudoRandom(13)} % 4800) end,
    case when i % 10 > 0 then 'DN-' || i / 500 end, current_date - (i / 1500)::integer,
    ${rareOrCommon(81, "'automotive'", pickWord(['consumer', 'industrial'], 14))},
    ${rareOrCommon(82, "'multi IMSI'", pickWord(['OTA', 'OTA BIP', 'one IMSI'], 15))},
    case when i % 20 = 0 then '172.16.0.0'::inet + i end, i % ${rareEvery} = 83
  from generate_series($2::bigint, $3::bigint) as i`;

/**
 * Usage: much for few, little for most; about one in forty beyond its limit. The time last seen matches the connection, so that
 * scheduled jobs have no more to do than in an installation that has run for a long time.
 */
const liveSql = `
  insert into sim_live (sim_id, org_id, connection, connection_since, last_seen_at, last_session_at, ip, plmn, radio,
    imei, cycle_started_at, cycle_ends_at, used_bytes, limit_bytes, over_limit, cost_micros)
  select id, org_id, connection, met, seen, met, case when connection > 0 then '10.0.0.0'::inet + id end, plmn, radio, last_imei,
    date_trunc('month', now()), date_trunc('month', now()) + interval '1 month', used, quota, coalesce(used > quota, false), cost
  from (
    select s.id, s.org_id, s.last_imei,
      (array[1, 1, 1, 1, 2, 2, 3, 3, 3, 0])[1 + ${pseudoRandom(20)} % 10] as connection,
      now() - make_interval(secs => ${pseudoRandom(21)} % 90000) as met,
      ${rareOrCommon(83, '310260', `(array[262002, 262001, 214007, 260006, 208001])[1 + ${pseudoRandom(22)} % 5]`)} as plmn,
      ${rareOrCommon(84, '1', `(array[3, 3, 5, 6])[1 + ${pseudoRandom(23)} % 4]`)} as radio,
      (power(${pseudoRandom(24)} % 10000 / 10000.0, 3) * 1.08 * 1073741824)::bigint as used,
      case when ${pseudoRandom(25)} % 10 > 0 then 1073741824 end as quota,
      case when ${pseudoRandom(26)} % 10 > 0 then ${pseudoRandom(27)} % 20000 * 10000 else -1 end as cost
    from (select *, id as i from sims where org_id = $1) s) as made
    cross join lateral (
      select case connection when 1 then now() when 2 then now() - interval '1 hour' when 3 then now() - interval '10 days'
        end as seen) as noticed`;

/** Costs as computed by the job, so that it does not recompute them. */
const costsSql = `
  insert into sim_costs (sim_id, org_id, cycle_started_at, limit_bytes, extra_bytes, used_bytes)
  select sim_id, org_id, cycle_started_at, limit_bytes, extra_bytes, used_bytes from sim_live where org_id = $1`;

/** The last seven days of recently seen SIMs, for the small chart in each row. */
const daysSql = `
  insert into usage_daily (sim_id, day_on, plmn, radio, up_bytes, down_bytes, records)
  select l.sim_id, day::date, l.plmn, l.radio, 100000, 900000, 12
  from generate_series(current_date - 6, current_date, interval '1 day') as day, sim_live l
  where l.org_id = $1 and l.connection in (1, 2) order by day, l.sim_id`;

/**
 * Fills the organisation with SIMs of all kinds. The indexes of the two tables are created afterwards, which is ten times as
 * fast; then everything is analysed, as autovacuum would within a minute.
 */
export const fill = (fleet: Fleet, sims: number, options: { plain?: boolean } = {}): Promise<void> =>
  withClient(fleet.databaseUrl, async (client) => {
    await client.query(
      "set synchronous_commit = off; set maintenance_work_mem = '1GB'; set work_mem = '256MB'",
    );
    await client.query(
      `insert into bundles (code, name, sku, type, quota_bytes, overage_policy, reset_cycle)
       select 'BENCH-' || n, 'Bundle ' || n, 'SKU-' || n, 'prepaid basic', 1073741824, 'stop', 'month'
       from generate_series(1, ${bundles}) as n`,
    );
    // If the server's list of networks differed at its start, it would recompute all costs.
    await syncNetworks(client);
    await withoutIndexes(client, async () => {
      await client.query(simsSql, [fleet.orgId, 0, sims - 1]);
      await client.query(liveSql, [fleet.orgId]);
    });
    if (options.plain) await makePlain(client);
    else await client.query(daysSql, [fleet.orgId]);
    await client.query(costsSql, [fleet.orgId]);
    await client.query(
      `insert into org_sim_counts (org_id, lifecycle, sims)
       select org_id, lifecycle, count(*) from sims group by 1, 2`,
    );
    await client.query(
      `insert into org_tags (org_id, tag, sims)
       select org_id, tag, count(*) from sims, unnest(tags) as tag group by 1, 2`,
    );
    // Not the empty tables: autovacuum never analyses empty tables.
    await client.query(
      'vacuum (analyze) sims, sim_identifiers, sim_live, sim_costs, usage_daily, bundles, networks, org_sim_counts, org_tags',
    );
  });

/** IMEI of the accounting load, fifteen digits including the check digit. */
const loadImei = imeiOf('35693803564380');

/**
 * SIMs that remain in the same device, with no usage in this cycle and no session yet. If the device were new for each of them,
 * every Start would be a device change, with an event and an update of the search column.
 */
const makePlain = async (client: pg.Client): Promise<void> => {
  await client.query('update sims set lifecycle = $2, last_imei = $1', [loadImei, lifecycleNumbers.active]);
  await client.query(
    `update sim_live set connection = 3, ip = null, plmn = null, radio = null, imei = $1, used_bytes = 0,
       over_limit = false`,
    [loadImei],
  );
  await client.query('vacuum full sims, sim_live');
};

const withoutIndexes = async (client: pg.Client, work: () => Promise<void>): Promise<void> => {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid in ('sims'::regclass, 'sim_live'::regclass) and not i.indisunique`,
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  await work();
  for (const { definition } of rows) await client.query(definition);
};
