import { folded } from '@simcube/contract';
import {
  chipGrades,
  connections,
  emptiableFields,
  lifecycleNumbers,
  lifecycles,
  radioTypes,
  restrictedDataStates,
  type SimFilter,
  simFilterSchema,
  technologies,
} from '@simcube/contract/sim';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../../platform/db/index.ts';
import { readPage } from '../../../platform/lists/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { insertTestOrganisation, insertTestPerson } from '../../../testing/organisations.ts';
import {
  amounts,
  bundleCodes,
  costs,
  dataStateNow,
  day,
  type Facts,
  foreignTask,
  instants,
  ips,
  networks,
  now,
  simArbitrary,
  some,
  tags,
  tasks,
} from '../../../testing/varied-sims.ts';
import { connectionNumbers } from '../sim.rules.ts';
import { simList } from './sim-list.views.ts';

let database: Database;
let orgId: number;
let sims: Facts[];
let all: string[];

beforeAll(async () => {
  database = await testDatabase();
  const { pool } = database;
  orgId = (await insertTestOrganisation(pool)).id;
  const other = (await insertTestOrganisation(pool)).id;
  await pool.query(
    `insert into networks (plmn, mcc, mnc, operator, country) values (262001, '262', '01', 'A', 'DE'),
       (262002, '262', '02', 'B', 'DE'), (310260, '310', '260', 'C', 'US') on conflict (plmn) do nothing`,
  );
  await pool.query(
    `insert into bundles (code, name, sku, type, overage_policy, reset_cycle)
     select code, code || ' plan', code, 'prepaid basic', 'stop', 'month' from unnest($1::text[]) as b (code)`,
    [bundleCodes],
  );
  sims = fc.sample(simArbitrary, { numRuns: 400, seed: 20_261_121 }).map((facts, index) => ({
    ...facts,
    iccid: `8986001${String(index).padStart(12, '0')}`,
    imsi: `26201${String(index).padStart(10, '0')}`,
    number: facts.msisdn ? `4915${String(index).padStart(9, '0')}` : null,
    tasks: tasks.filter((_, task) => index % (3 + task * 40) === 0),
  }));
  const rows = sims.map((sim) => ({
    ...sim,
    msisdn: sim.number,
    lifecycle: lifecycleNumbers[sim.lifecycle],
    connection: connectionNumbers[sim.connection],
  }));
  // Another organisation has identical SIMs.
  for (const [owner, given] of [
    [orgId, rows],
    [
      other,
      rows.map((row) => ({
        ...row,
        iccid: `X${row.iccid}`,
        imsi: `9${row.imsi.slice(1)}`,
        msisdn: null,
      })),
    ],
  ] as const) {
    await pool.query(
      `with wanted as (
         select * from jsonb_to_recordset($2) as t (iccid text, imsi text, msisdn text, last_imei text,
           imei_changed_at timestamptz, device_name text, notes text, tags jsonb, delivery_note_number text,
           shipment_on date, chip_grade text, technology text, lifecycle smallint, activated_at timestamptz,
           expires_at timestamptz, apn text, fixed_ip inet, bundle text, connection smallint, ip inet, plmn integer,
           radio smallint, last_session_at timestamptz, used bigint, "limit" bigint, over boolean,
           cost numeric, sms_suspended boolean, data_state smallint, rate_kbps integer, cycle_ends_at timestamptz,
           pool_stopped_until timestamptz, held_until timestamptz, held_kbps integer)),
       made as (
         insert into sims (org_id, iccid, imsi, msisdn, last_imei, imei_changed_at, device_name, notes, tags,
           delivery_note_number, shipment_on, chip_grade, technology, lifecycle, activated_at, expires_at, apn,
           fixed_ip, bundle_id, sms_suspended)
         select $1, iccid, imsi, msisdn, last_imei, imei_changed_at, device_name, notes,
           array(select jsonb_array_elements_text(w.tags)), delivery_note_number, shipment_on, chip_grade, technology,
           lifecycle, activated_at, expires_at, apn, fixed_ip, (select id from bundles where code = w.bundle),
           sms_suspended
         from wanted w returning id, iccid)
       insert into sim_live (sim_id, org_id, connection, ip, plmn, radio, last_session_at, used_bytes, limit_bytes,
         over_limit, cost_micros, data_state, rate_kbps, cycle_ends_at, pool_stopped_until, held_until, held_kbps)
       select m.id, $1, connection, ip, plmn, radio, last_session_at, used, "limit", over, coalesce(cost * 1000000, -1),
         data_state, rate_kbps, cycle_ends_at, pool_stopped_until, held_until, held_kbps
       from wanted join made m using (iccid)`,
      [owner, JSON.stringify(given)],
    );
  }
  await pool.query(`insert into org_sim_counts select org_id, lifecycle, count(*) from sims group by 1, 2`);
  await pool.query(
    `insert into org_tags select org_id, tag, count(*) from sims, unnest(tags) as tag group by 1, 2`,
  );
  const { userId } = await insertTestPerson(pool);
  await pool.query(
    `insert into tasks (id, org_id, user_id, type, quantity, started_at, moved_at) overriding system value
     select n, case when n = 3 then $1::bigint else $2::bigint end, $3, 'sim-tags', 0, $4, $4 from generate_series(1, 3) n`,
    [other, orgId, userId, now],
  );
  for (const [index, reference] of [...tasks, foreignTask].entries()) {
    const given = sims.filter((sim) => reference === foreignTask || sim.tasks.includes(reference));
    await pool.query(
      `insert into task_items (task_id, position, kind, ref, label, state)
       select $1::bigint, row_number() over () - 1, 'sim', id, iccid, 1 from sims
       where iccid = any($2) or ($1::bigint = 3 and org_id = $3)`,
      [index + 1, given.map(({ iccid }) => iccid), other],
    );
  }
  all = sims.map(({ iccid }) => iccid);
});
afterAll(() => database.close());

const part = some([
  'pump',
  'ME',
  '_',
  '%',
  'madrid',
  'KÄS',
  'Ä',
  'u',
  'k-',
  '7',
  'a',
  'truck_1',
  'at mast',
  '100%',
  'zzz',
]);
const set = <T>(values: readonly T[]) => fc.subarray([...values], { minLength: 1 });
/** Each field of the filter, alone. */
const fields: { [K in keyof Required<SimFilter>]: fc.Arbitrary<NonNullable<SimFilter[K]>> } = {
  search: some([
    'pump',
    'madrid',
    '00000017',
    'fleet',
    'PU',
    'k',
    'fl',
    'e',
    '35',
    '49',
    'er',
    '7',
    'ma',
    'at mast',
    'le',
  ]),
  lifecycle: set(lifecycles),
  connection: set(connections),
  tags: set(tags),
  bundle: set([...bundleCodes, 'eu5 PLAN', 'NONE']),
  usage_percent_min: some([0, 0.5, 10, 50, 99.9, 100, 150]),
  usage_percent_max: some([0, 0.5, 10, 50, 99.9, 100, 150]),
  usage_bytes_min: amounts,
  usage_bytes_max: amounts,
  cost_min: costs,
  cost_max: costs,
  expires_within_days: fc.integer({ min: 0, max: 60 }),
  over_limit: fc.boolean(),
  data_state: set(restrictedDataStates),
  sms_suspended: fc.boolean(),
  device_name: part,
  notes: part,
  delivery_note_number: some(['DN', 'dn-1', '00', '301', 'x']),
  chip_grade: set(chipGrades),
  technology: set(technologies),
  apn: some(['iot', 'ACME', 'm2m', '.', 'none']),
  ip: some([...ips, '10.9.9.9']),
  country: set(['DE', 'US', 'FR']),
  operator: set([...networks.map(({ code }) => code), '310-026', '001-01']),
  radio: set(radioTypes),
  shipment_from: instants.map((at) => at.slice(0, 10)),
  shipment_to: instants.map((at) => at.slice(0, 10)),
  activated_from: instants,
  activated_to: instants,
  expires_from: instants,
  expires_to: instants,
  last_session_from: instants,
  last_session_to: instants,
  imei_changed_within_days: fc.integer({ min: 1, max: 90 }),
  empty: fc.subarray([...emptiableFields], { minLength: 1, maxLength: 2 }),
  not_empty: fc.subarray([...emptiableFields], { minLength: 1, maxLength: 3 }),
  task: some([...tasks, foreignTask]),
  identifiers: fc.array(
    fc
      .tuple(fc.nat(420), some(['8986001', '26201', '4915'] as const))
      .map(
        ([index, start]) => start + String(index).padStart({ 8986001: 12, 26201: 10, 4915: 9 }[start], '0'),
      ),
    { minLength: 1, maxLength: 50 },
  ),
};

const has = (text: string | null, wanted: string): boolean =>
  text?.toLowerCase().includes(wanted.toLowerCase()) ?? false;
/** Texts of one or two ASCII characters match the start of a field, punctuation alone nothing. */
const found = (text: string | null, wanted: string): boolean => {
  if (!/[\p{L}\p{N}]/u.test(wanted)) return false;
  if ([...wanted].length > 2 || /[^\p{ASCII}]/u.test(wanted)) return has(text, wanted);
  return text?.toLowerCase().startsWith(wanted.toLowerCase()) ?? false;
};
const addressOf = (sim: Facts): string | null => sim.ip ?? sim.fixed_ip;
const share = ({ used, limit }: Facts): number | null => (limit ? (used * 100) / limit : null);
const time = (text: string | null): number | null => (text === null ? null : Date.parse(text));
const from = (value: string | null, bound: string): boolean =>
  (time(value) ?? Number.NaN) >= Date.parse(bound);
const upTo = (value: string | null, bound: string): boolean =>
  (time(value) ?? Number.NaN) <= Date.parse(bound);
const networkOf = (sim: Facts) => networks.find(({ plmn }) => plmn === sim.plmn);
const isEmpty = (sim: Facts, field: (typeof emptiableFields)[number]): boolean => {
  if (field === 'tags') return sim.tags.length === 0;
  if (field === 'ip') return addressOf(sim) === null;
  if (field === 'msisdn') return sim.number === null;
  return sim[field] === null;
};

const inOneLine = (text: string | null): string | null => text?.replaceAll('\n', ' ') ?? null;

/** The meaning of each field, implemented again without a database. */
const meanings: {
  [K in keyof Required<SimFilter>]: (sim: Facts, wanted: NonNullable<SimFilter[K]>) => boolean;
} = {
  search: (sim, text) =>
    [sim.iccid, sim.imsi, sim.number, sim.last_imei, sim.device_name, sim.notes, ...sim.tags].some((value) =>
      found(inOneLine(value), text),
    ),
  lifecycle: (sim, wanted) => wanted.includes(sim.lifecycle),
  connection: (sim, wanted) => wanted.includes(sim.connection),
  tags: (sim, wanted) => wanted.every((tag) => (sim.tags as string[]).includes(tag)),
  bundle: ({ bundle }, wanted) =>
    wanted.some((one) => one === bundle || one.toLowerCase() === `${bundle} plan`.toLowerCase()),
  usage_percent_min: (sim, least) => (share(sim) ?? -1) >= least,
  usage_percent_max: (sim, most) => (share(sim) ?? Number.POSITIVE_INFINITY) <= most,
  usage_bytes_min: (sim, least) => sim.used >= least,
  usage_bytes_max: (sim, most) => sim.used <= most,
  cost_min: (sim, least) => sim.cost !== null && sim.cost >= least,
  cost_max: (sim, most) => sim.cost !== null && sim.cost <= most,
  expires_within_days: (sim, days) =>
    upTo(sim.expires_at, day(days)) && from(sim.expires_at, new Date(now.getTime() + 1).toISOString()),
  over_limit: (sim, wanted) => sim.over === wanted,
  data_state: (sim, wanted) => wanted.some((state) => state === dataStateNow(sim)),
  sms_suspended: (sim, wanted) => sim.sms_suspended === wanted,
  device_name: (sim, text) => found(sim.device_name, text),
  notes: (sim, text) => found(inOneLine(sim.notes), text),
  delivery_note_number: (sim, text) => has(sim.delivery_note_number, text),
  chip_grade: (sim, wanted) => sim.chip_grade !== null && wanted.includes(sim.chip_grade),
  technology: (sim, wanted) => sim.technology !== null && wanted.includes(sim.technology),
  apn: (sim, text) => has(sim.apn, text),
  ip: (sim, wanted) => addressOf(sim) === wanted,
  country: (sim, wanted) => wanted.includes(networkOf(sim)?.country ?? ''),
  operator: (sim, wanted) => wanted.includes(networkOf(sim)?.code ?? ''),
  radio: (sim, wanted) => wanted.some((name) => radioTypes.indexOf(name) + 1 === sim.radio),
  shipment_from: (sim, bound) => from(sim.shipment_on, bound),
  shipment_to: (sim, bound) => upTo(sim.shipment_on, bound),
  activated_from: (sim, bound) => from(sim.activated_at, bound),
  activated_to: (sim, bound) => upTo(sim.activated_at, bound),
  expires_from: (sim, bound) => from(sim.expires_at, bound),
  expires_to: (sim, bound) => upTo(sim.expires_at, bound),
  last_session_from: (sim, bound) => from(sim.last_session_at, bound),
  last_session_to: (sim, bound) => upTo(sim.last_session_at, bound),
  imei_changed_within_days: (sim, days) => from(sim.imei_changed_at, day(-days)),
  empty: (sim, wanted) => wanted.every((field) => isEmpty(sim, field)),
  not_empty: (sim, wanted) => wanted.every((field) => !isEmpty(sim, field)),
  task: (sim, reference) => sim.tasks.includes(reference),
  identifiers: (sim, wanted) =>
    [sim.iccid, sim.imsi, sim.number].some((own) => own !== null && wanted.includes(own)),
};

const wantedOf = (filter: SimFilter): string[] =>
  sims
    .filter((sim) =>
      (Object.keys(filter) as (keyof SimFilter)[]).every((key) => {
        const meaning = meanings[key] as (sim: Facts, wanted: unknown) => boolean;
        return filter[key] === undefined || meaning(sim, filter[key]);
      }),
    )
    .map(({ iccid }) => iccid);

const sorts = [
  'iccid',
  '-device_name',
  'lifecycle',
  'expires_at',
  'cycle_usage_bytes',
  '-cycle_usage_bytes',
  'cost',
  '-cost',
] as const;

/** SIMs without a price sort below any cost. */
const amountOf = { usage: (sim: Facts) => sim.used, cost: (sim: Facts) => sim.cost ?? -1 };

const by = (what: keyof typeof amountOf, iccids: readonly string[]): string[] => {
  const amount = amountOf[what];
  const wanted = new Set(iccids);
  const found = sims.filter(({ iccid }) => wanted.has(iccid));
  return found
    .sort((a, b) => amount(a) - amount(b) || (a.iccid < b.iccid ? -1 : 1))
    .map(({ iccid }) => iccid);
};

const listed = async (given: SimFilter, sort?: (typeof sorts)[number]) => {
  const filter = simFilterSchema.parse(given);
  const page = { page_no: 1, page_size: 1000 };
  const answer = await readPage(database.db, simList, { scope: { orgId }, filter, sort, page, now });
  const { data } = answer;
  return { iccids: data.map(({ iccid }) => iccid), total: answer.total, relation: answer.relation };
};

it.each(Object.entries(fields))('%s means what it says', async (name, values) => {
  await fc.assert(
    fc.asyncProperty(values as fc.Arbitrary<unknown>, async (value) => {
      const filter = { [name]: value } as SimFilter;
      const wanted = wantedOf(filter);
      expect(await listed(filter, 'iccid')).toEqual({ iccids: wanted, total: wanted.length, relation: 'eq' });
    }),
    { numRuns: 12 },
  );
});

it('reports for every SIM found by a search where it matches', async () => {
  await fc.assert(
    fc.asyncProperty(fields.search as fc.Arbitrary<string>, async (search) => {
      const page = { page_no: 1, page_size: 1000 };
      const { data } = await readPage(database.db, simList, {
        scope: { orgId },
        filter: { search },
        page,
        now,
      });
      for (const { iccid, matched = [] } of data) {
        expect(matched.length, `${iccid} by ${search}`).toBeGreaterThan(0);
        for (const { text, from, to } of matched)
          expect(folded(text.slice(from, to))).toBe(folded(search).trim());
      }
    }),
    { numRuns: 40 },
  );
});

it('distinguishes SIMs by every field', () => {
  for (const [name, values] of Object.entries(fields)) {
    const found = fc
      .sample(values as fc.Arbitrary<unknown>, 60)
      .map((value) => wantedOf({ [name]: value }).length);
    expect(
      found.some((count) => count > 0 && count < all.length),
      name,
    ).toBe(true);
  }
});

it('combines the conditions of several fields, in every sort order', async () => {
  const several = fc
    .record(fields, { requiredKeys: [] })
    .chain((filter) =>
      fc
        .subarray(Object.keys(filter), { minLength: Math.min(2, Object.keys(filter).length), maxLength: 4 })
        .map(
          (kept) =>
            Object.fromEntries(Object.entries(filter).filter(([key]) => kept.includes(key))) as SimFilter,
        ),
    );
  await fc.assert(
    fc.asyncProperty(several, some(sorts), async (filter, sort) => {
      const wanted = wantedOf(filter);
      const answer = await listed(filter, sort);
      expect(new Set(answer.iccids)).toEqual(new Set(wanted));
      expect(answer.total).toBe(wanted.length);
      if (sort === 'cycle_usage_bytes') expect(answer.iccids).toEqual(by('usage', wanted));
      if (sort === '-cycle_usage_bytes') expect(answer.iccids).toEqual(by('usage', wanted).reverse());
      if (sort === 'cost') expect(answer.iccids).toEqual(by('cost', wanted));
      if (sort === '-cost') expect(answer.iccids).toEqual(by('cost', wanted).reverse());
    }),
    { numRuns: 150 },
  );
});
