import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { placeOrders } from '../../modules/bundle/index.ts';
import { projectRoot } from '../../platform/env/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../../testing/app.ts';
import { commandLine } from '../../testing/command-line.ts';
import { makeSim } from '../../testing/inventory.ts';

let test: TestApp;
let directory: string;
let simcube: ReturnType<typeof commandLine>;
let orgId: number;

beforeAll(async () => {
  test = await testApp();
  directory = await mkdtemp(join(tmpdir(), 'simcube-catalogue-'));
  simcube = commandLine(test, directory);
  orgId = (await makeOrganisation(test, { code: 'ACME' })).id;
  await writeFile(join(directory, 'secret'), 'a secret in a file\n');
});
afterAll(async () => {
  await test.close();
  await rm(directory, { recursive: true, force: true });
});
beforeEach(async () => {
  await test.database.pool.query(
    'truncate bundles, pools, zones, tariffs, radius_clients, audit_entries, audit_heads cascade',
  );
  await apply(whole());
});

const bundle = (own = '') => `
bundles:
  - { code: B, name: Bundle, sku: B-1, type: prepaid basic, quota_bytes: 1000, overage_policy: billing, reset_cycle: month, ${own} }`;
const zones = (asia = 'JP, IN') => `
zones:
  - { code: asia, name: Asia, countries: [${asia}] }
  - { code: rest, name: Rest of the world, countries: rest }`;
const tariff = (versions: string, own = 'currency: EUR') => `
tariffs:
  - code: standard
    name: Standard
    ${own}
    versions:${versions}`;
const version = (
  day: string,
  prices = 'bundles: { B: { cycle: 4.99 } }, zones: { asia: 0.1, rest: 0.5 }',
) => `
      - { starts_on: ${day}, ${prices} }`;
const gateway = (own = '') => `
gateways:
  - { name: paris, network: 192.0.2.0/28, secret: { file: ${join(directory, 'secret')} }, ${own} }`;
const whole = () => [bundle(), zones(), tariff(version('2026-01-01')), gateway()].join('');

const run = async (command: 'plan' | 'apply', text: string | Buffer) => {
  const file = join(directory, 'catalogue.yaml');
  await writeFile(file, text);
  const { out, errors, failed } = await simcube.run(['catalogue', command, file]);
  return { lines: out.trimEnd().split('\n'), errors, failed };
};
const plan = (text: string) => run('plan', text);
const apply = (text: string) => run('apply', text);
const stored = async () =>
  (
    await test.database.pool.query(
      `select (select json_agg(b order by id) from bundles b) as bundles, (select json_agg(z order by id) from zones z) as zones,
         (select json_agg(v order by id) from tariff_versions v) as versions,
         (select json_agg(p order by version_id, zone_id) from tariff_zone_prices p) as prices,
         (select json_agg(r order by id) from radius_clients r) as gateways,
         (select count(*) from audit_entries) as entries`,
    )
  ).rows[0];

describe('a catalogue file', () => {
  it('is idempotent', async () => {
    const before = await stored();
    expect(await apply(whole())).toMatchObject({
      lines: ['0 created, 0 changed, 5 unchanged, 0 refused'],
      failed: false,
    });
    expect(await stored()).toEqual(before);
  });

  it('is planned without changes, with the same output as applying it', async () => {
    const changed = [
      bundle('orderable: true'),
      zones('JP, IN, SG'),
      tariff(version('2026-01-01') + version('2026-12-01', 'bundles: { B: { cycle: 5.49 } }')),
    ].join('');
    const before = await stored();
    const { lines } = await plan(changed);
    expect(lines).toEqual([
      '~ bundle B',
      '    orderable: false → true',
      '~ zone asia',
      '    countries added, for future versions: SG',
      '~ tariff standard',
      '    version of 2026-12-01: made',
      '0 created, 3 changed, 1 unchanged, 0 refused',
    ]);
    expect(await stored()).toEqual(before);
    expect((await apply(changed)).lines).toEqual(lines);
    expect((await apply(changed)).lines).toEqual(['0 created, 0 changed, 4 unchanged, 0 refused']);
  });

  it('is not applied at all if one entry is rejected', async () => {
    const before = await stored();
    const { lines, errors, failed } = await apply(
      `${zones('JP, IN, SG')}${tariff(version('2026-01-01', 'bundles: { B: { cycle: 1 } }'))}`,
    );
    expect(lines.slice(2)).toEqual([
      '! tariff standard',
      '    version of 2026-01-01: in force since then, so it cannot be changed; add a version that begins on a later day',
      '0 created, 1 changed, 1 unchanged, 1 refused',
    ]);
    expect({ errors: errors.trim(), failed }).toEqual({
      errors: 'Nothing was applied, because something is refused',
      failed: true,
    });
    expect(await stored()).toEqual(before);
  });

  it('changes the countries of zones in future versions only', async () => {
    await apply(tariff(version('2026-01-01') + version('2026-12-01')));
    await apply(zones('JP, SG'));
    const { prices } = await stored();
    expect(prices.map(({ countries }: { countries: string[] }) => countries)).toEqual([
      ['IN', 'JP'],
      [],
      ['JP', 'SG'],
      [],
    ]);
  });

  it('removes future versions that it omits, but none in force', async () => {
    await apply(tariff(version('2026-01-01') + version('2026-12-01')));
    const { lines } = await apply(tariff(version('2027-01-01')));
    expect(lines.slice(1, 3)).toEqual([
      '    version of 2027-01-01: made',
      '    version of 2026-12-01: removed',
    ]);
    const { versions } = await stored();
    expect(versions.map(({ starts_on }: { starts_on: string }) => starts_on)).toEqual([
      '2026-01-01',
      '2027-01-01',
    ]);
  });

  it.each([
    [
      'a version that begins today',
      () => tariff(version('2026-11-21')),
      'must begin after today (2026-11-21, UTC+8)',
    ],
    ['another currency', () => tariff(version('2026-01-01'), 'currency: USD'), 'its currency is EUR'],
    [
      'no currency',
      () => tariff(version('2026-12-01'), 'currency: XYZ'),
      'XYZ is not a currency of ISO 4217',
    ],
    ['an unknown bundle', () => tariff(version('2026-12-01', 'bundles: { C: {} }')), 'there is no bundle C'],
    ['an unknown zone', () => tariff(version('2026-12-01', 'zones: { moon: 1 }')), 'there is no zone moon'],
    ['zones without the rest', () => tariff(version('2026-12-01', 'zones: { asia: 1 }')), 'has no price'],
    [
      'a country in two zones',
      () => 'zones: [{ code: far, name: Far, countries: [JP] }]',
      'JP: also in asia',
    ],
    [
      'a zone of no country',
      () => 'zones: [{ code: far, name: Far, countries: [UK] }]',
      'not in ISO 3166: UK',
    ],
    [
      'a bundle for no country',
      () => bundle().replace('code: B,', 'code: C, coverage_countries: [FR, XX],'),
      'not in ISO 3166: XX',
    ],
    [
      'a second rest of the world',
      () => 'zones: [{ code: far, name: Far, countries: rest }]',
      'rest is already the rest',
    ],
    [
      'a rest of the world with countries',
      () => 'zones: [{ code: rest, name: R, countries: [US] }]',
      'choose a new code',
    ],
    [
      'a secret that is missing',
      () => 'gateways: [{ name: rome, network: 198.51.100.1/32 }]',
      'it has no secret yet',
    ],
    [
      'a secret in a file that is not there',
      () => 'gateways: [{ name: rome, network: 198.51.100.1/32, secret: { file: /nowhere/secret } }]',
      "its secret can't be read: ENOENT",
    ],
    [
      'a secret in a variable that is not set',
      () => 'gateways: [{ name: rome, network: 198.51.100.1/32, secret: { env: NOBODY_SETS_THIS } }]',
      "its secret can't be read: The environment variable NOBODY_SETS_THIS is not set",
    ],
  ])('is rejected for %s', async (_, text, reason) => {
    const { lines, failed } = await plan(text());
    expect(failed).toBe(true);
    expect(lines.join('\n')).toContain(reason);
  });

  it('swaps the networks of two gateways', async () => {
    const two = (paris: string, rome: string) =>
      `gateways:\n${[
        ['paris', paris],
        ['rome', rome],
      ]
        .map(
          ([name, network]) =>
            `  - { name: ${name}, network: ${network}, secret: { file: ${join(directory, 'secret')} } }`,
        )
        .join('\n')}`;
    await apply(two('192.0.2.0/28', '198.51.100.1/32'));
    const { lines, failed } = await apply(two('198.51.100.1/32', '192.0.2.0/28'));
    expect(failed).toBe(false);
    expect(lines.at(-1)).toBe('0 created, 2 changed, 0 unchanged, 0 refused');
    const { rows } = await test.database.pool.query(
      'select name, network::text as network from radius_clients order by radius_clients.name',
    );
    expect(rows).toEqual([
      { name: 'paris', network: '198.51.100.1/32' },
      { name: 'rome', network: '192.0.2.0/28' },
    ]);
  });

  it('changes any field of a bundle without orders, but no duration of an ordered one', async () => {
    expect((await apply(bundle('duration_days: 30'))).lines[0]).toBe('~ bundle B');
    const { id: simId } = await makeSim(test.database.pool, orgId, { lifecycle: 'active' });
    await placeOrders(test.database.pool, [{ simId, bundleCode: 'B', orderedAt: test.clock.now() }]);
    expect((await apply(bundle('duration_days: 30, orderable: true'))).failed).toBe(false);
    const { lines, failed } = await apply(bundle('duration_days: 60, orderable: true'));
    expect(failed).toBe(true);
    expect(lines[1]).toBe('    SIMs or pools use it, so duration_days cannot be changed: choose a new code');
  });

  it.each([
    ['an unknown list', 'tarifs: []', 'tarifs'],
    ['an unknown key', 'zones: [{ code: a, name: A, countries: [JP], colour: red }]', 'colour'],
    ['a key that stands twice', 'zones: []\nzones: []', 'Map keys must be unique'],
    ['an alias', 'zones:\n  - &a { code: a, name: A, countries: [JP] }\n  - *a', 'Aliases'],
    [
      'an entry that is named twice',
      `${zones()}\n  - { code: asia, name: Two, countries: [KR] }`,
      'contains an entry twice',
    ],
    [
      'an amount with seven decimals',
      tariff(version('2026-12-01', 'zones: { rest: 0.1234567 }')),
      'six decimals',
    ],
    ['a negative amount', tariff(version('2026-12-01', 'zones: { rest: -1 }')), 'amount'],
    ['control characters', 'zones: [{ code: a, name: "A\\u0007", countries: [JP] }]', 'name'],
    ['what is no YAML', 'zones: [', 'not YAML'],
    ['two documents', 'zones: []\n---\nzones: []', 'not YAML'],
  ])('is rejected on parsing with %s', async (_, text, reason) => {
    const before = await stored();
    const { errors, failed } = await apply(text);
    expect(failed).toBe(true);
    expect(errors).toContain(reason);
    expect(await stored()).toEqual(before);
  });

  it.each([
    [
      'Windows-1252',
      Buffer.from('zones:\n- { code: a, name: Espa\xf1a, countries: [ES] }\n', 'latin1'),
      'not UTF-8 (line 2)',
    ],
    [
      'a control character',
      'zones:\n- { code: a, name: "A\u0007", countries: [ES] }',
      'line 2: zones.0.name',
    ],
    [
      'an invisible character',
      'zones:\n- { code: "a\u200b", name: A, countries: [ES] }',
      'line 2: zones.0.code',
    ],
    ['a misspelt key', 'zones:\n- code: a\n  nmae: A\n  countries: [ES]', 'line 3: zones.0'],
    ['more than a catalogue has', Buffer.alloc(8_000_001, '#'), 'too large'],
  ])('is rejected as a whole with %s, with its location', async (_, content, reason) => {
    const before = await stored();
    const { errors, failed } = await run('apply', content);
    expect(failed).toBe(true);
    expect(errors).toContain(reason);
    expect(await stored()).toEqual(before);
  });

  it('may have a byte order mark and CRLF line ends', async () => {
    await apply(zones());
    expect((await apply(`\ufeff${zones().replaceAll('\n', '\r\n')}`)).lines.at(-1)).toMatch(
      /^0 created, 0 changed/,
    );
  });

  it('creates pools of shared bundles and rejects other bundles', async () => {
    const shared = bundle().replace('prepaid basic', 'postpaid shared').replace('code: B,', 'code: S,');
    const pool = (own: string) => `
pools:
  - { organisation: ACME, name: Fleet, bundle: S, policy: no limit, opt_in: manual, ${own} }`;
    const standard = pool('activation_rule: standard');
    expect((await apply(shared + standard)).lines).toEqual([
      '+ bundle S',
      '+ pool ACME/Fleet',
      '2 created, 0 changed, 0 unchanged, 0 refused',
    ]);
    expect((await apply(standard)).lines).toEqual(['0 created, 0 changed, 1 unchanged, 0 refused']);
    const changed = await apply(pool('activation_rule: pro-rata'));
    expect(changed.lines.slice(0, 2)).toEqual([
      '~ pool ACME/Fleet',
      '    activation_rule: standard → pro-rata',
    ]);
    const smaller = await apply(shared.replace('1000', '500'));
    expect(smaller.lines[1]).toBe(
      '    SIMs or pools use it, so quota_bytes cannot be changed: choose a new code',
    );
    const wrong = await plan(standard.replace('bundle: S', 'bundle: B').replace('Fleet', 'Other'));
    expect(wrong).toMatchObject({ failed: true });
    expect(wrong.lines[1]).toContain('not postpaid shared');
  });

  it('that names a pool twice, ignoring case, is rejected', async () => {
    const shared = bundle().replace('prepaid basic', 'postpaid shared').replace('code: B,', 'code: S,');
    const pool = (name: string, policy: string) =>
      `  - { organisation: ACME, name: ${name}, bundle: S, policy: ${policy}, opt_in: manual, activation_rule: standard }`;
    const twice = [`${shared}\npools:`, pool('Ships', 'no limit'), pool('SHIPS', 'stop overage SIMs')];
    const { lines, failed } = await plan(twice.join('\n'));
    expect([lines.at(-2), failed]).toEqual(['    the file already names this pool Ships', true]);
  });

  it('agrees with `pools set`, which keeps settings that are not given', async () => {
    const shared = bundle().replace('prepaid basic', 'postpaid shared').replace('code: B,', 'code: S,');
    await apply(`${shared}
pools:
  - { organisation: ACME, name: Vans, bundle: S, policy: no limit, opt_in: automatic, activation_rule: pro-rata }`);
    const set = async (...args: string[]) =>
      (await simcube.run(['pools', 'set', 'ACME', 'Vans', ...args])).out.trim();
    expect([await set('--bundle', 'S'), await set()]).toEqual(['Vans: unchanged', 'Vans: unchanged']);
    expect(await set('--activation-rule', 'standard')).toBe('Vans: activation_rule: pro-rata → standard');
  });

  it('may be empty', async () =>
    expect(await apply('')).toMatchObject({
      lines: ['0 created, 0 changed, 0 unchanged, 0 refused'],
      failed: false,
    }));

  it('is exported without secrets, and applying the export changes nothing', async () => {
    await apply(
      tariff(version('2026-01-01') + version('2026-12-01', 'sms: { mt: 0.035 }, pool: { over: "0.000001" }')),
    );
    const { out } = await simcube.run(['catalogue', 'export']);
    expect(out).not.toContain('secret');
    expect((await apply(out)).lines).toEqual(['0 created, 0 changed, 5 unchanged, 0 refused']);
  });

  it('has a JSON Schema with every list and date validation', async () => {
    const { out } = await simcube.run(['catalogue', 'schema']);
    const schema = JSON.parse(out);
    expect(Object.keys(schema.properties)).toEqual(['bundles', 'zones', 'tariffs', 'pools', 'gateways']);
    expect(schema.properties.tariffs.items.required).toEqual(['code', 'name', 'currency', 'versions']);
    expect(schema.additionalProperties).toBe(false);
    const { starts_on } = schema.properties.tariffs.items.properties.versions.items.properties;
    const isDate = (text: string): boolean =>
      starts_on.allOf.every(({ pattern }: { pattern: string }) => new RegExp(pattern).test(text));
    expect(['2026-12-01', '2026-13-01', 'tomorrow'].map(isDate)).toEqual([true, false, false]);
  });

  it('has a JSON Schema that accepts examples and exports and rejects invalid files', async () => {
    const { out } = await simcube.run(['catalogue', 'schema']);
    const schema = z.fromJSONSchema(JSON.parse(out));
    const takes = (text: string) => schema.safeParse(parse(text)).success;
    const examples = ['catalogue', 'gateways'].map((name) => `docs/examples/${name}.yaml`);
    const files = ['apps/server/demo/catalogue.yaml', ...examples];
    for (const file of files) expect(takes(await readFile(join(projectRoot, file), 'utf8'))).toBe(true);
    expect(takes((await simcube.run(['catalogue', 'export'])).out)).toBe(true);
    for (const wrong of [
      zones().replace('name:', 'nmae:'),
      zones('Japan'),
      tariff(version('2026-12-01', 'zones: { rest: -1 }')),
      tariff(version('2026-12-01', 'zones: { rest: "0.1234567" }')),
      tariff(version('2026-12-01', 'zones: { rest: "0,5" }')),
      gateway('coa_port: 70000'),
    ]) {
      expect([wrong, takes(wrong)]).toEqual([wrong, false]);
    }
  });
});
