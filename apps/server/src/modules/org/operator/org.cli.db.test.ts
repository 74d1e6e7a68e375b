import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limits } from '@simcube/contract';
import { Command } from 'commander';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { demoLogo } from '../../../main/demo/demo-logo.ts';
import { sentenceOf } from '../../../platform/cli/index.ts';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { hasUnbilledCharges } from '../../finance/index.ts';
import { orgCommands } from './org.cli.ts';

let database: Database;

beforeAll(async () => {
  database = await testDatabase();
});

afterAll(() => database.close());
afterEach(() => vi.restoreAllMocks());

/** Runs `simcube orgs …` and returns what it printed. */
const orgs = async (...args: string[]): Promise<string> => {
  const printed: string[] = [];
  vi.spyOn(console, 'info').mockImplementation((line: string) => printed.push(line));
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  orgCommands(program, async () => ({
    pool: database.pool,
    clock: new FixedClock('2026-05-01T08:00:00Z'),
    hasUnbilledCharges,
    close: async () => undefined,
  }));
  for (const command of program.commands.flatMap((area) => area.commands)) {
    command.exitOverride().configureOutput({ writeErr: () => undefined });
  }
  // As the program prints it.
  await program.parseAsync(['orgs', ...args], { from: 'user' }).catch((error: unknown) => {
    throw new Error(sentenceOf(error));
  });
  return printed.join('\n');
};

const entries = async (code: string) =>
  (
    await database.pool.query(
      `select action, actor_kind, before, after from audit_entries
       where org_id = coalesce((select id from organisations where code = $1), 0) order by number`,
      [code],
    )
  ).rows;

const create = (code: string, ...more: string[]) =>
  orgs('create', code, '--name', `${code} Limited`, '--country', 'de', ...more);

it('simcube orgs creates, shows and lists organisations', async () => {
  expect(await create('TOP')).toMatch(/^Created TOP \(tenant id [0-9a-f-]{36}\)$/);
  const made = JSON.parse(await create('PAYER', '--parent', 'top', '--settlement', '--seats', '3', '--json'));
  expect(made).toMatchObject({ code: 'PAYER', name: 'PAYER Limited', country: 'DE' });
  expect(JSON.parse(await orgs('show', 'payer', '--json'))).toEqual({
    code: 'PAYER',
    name: 'PAYER Limited',
    country: 'DE',
    tenantId: made.tenantId,
    parent: 'TOP',
    firstLevel: true,
    settlement: true,
    nameFixed: true,
    createdAt: expect.any(String),
    seats: 3,
    seatsUsed: 0,
    subOrganisations: limits.subOrganisations,
    subOrganisationsUsed: 0,
    logo: false,
    smsQuota: { kind: 'inherit' },
    smsQuotaMessages: null,
    security: {
      two_factor_required: false,
      session_idle_hours: 12,
      session_hours: 168,
      allowed_networks: [],
    },
  });
  expect((await orgs('show', 'TOP')).split('\n')).toEqual(
    expect.arrayContaining([
      'code\tTOP',
      'parent\t-',
      'smsQuota\tinherit (no limit)',
      'allowedNetworks\tany',
    ]),
  );
  expect(await orgs('list', '--search', 'pay')).toBe('PAYER\tPAYER Limited\tDE\tTOP\t0');
  expect(await entries('TOP')).toEqual([
    {
      action: 'organisation.created',
      actor_kind: 'operator',
      before: null,
      after: {
        code: 'PAYER',
        name: 'PAYER Limited',
        country: 'DE',
        settlement: true,
        seats: 3,
        sub_organisations: limits.subOrganisations,
        admins: [],
      },
    },
  ]);
});

it('simcube orgs create says in the audit trail who administers the organisation by oversight', async () => {
  await create('OVER');
  const { rows } = await database.pool.query(
    `with person as (
       insert into users (email, first_name, last_name, locale, password_hash)
       values ('over@example.test', 'Ana', 'Li', 'en-US', 'x') returning id)
     insert into memberships (user_id, org_id, role)
     select person.id, o.id, 'superadmin' from person, organisations o where o.code = 'OVER' returning user_id`,
  );
  expect(rows).toHaveLength(1);
  await create('SEEN', '--parent', 'OVER');
  expect((await entries('OVER')).at(-1).after).toMatchObject({ code: 'SEEN', admins: ['Ana Li'] });
});

it('simcube orgs sets each limit, and restores its default', async () => {
  await create('LIMITED', '--parent', 'TOP');
  expect(await orgs('limits', 'LIMITED', '--seats', '0')).toBe(
    `LIMITED: 0 seats, ${limits.subOrganisations} sub-organisations`,
  );
  expect(JSON.parse(await orgs('limits', 'LIMITED', '--sub-organisations', '7', '--json'))).toEqual({
    code: 'LIMITED',
    seats: 0,
    subOrganisations: 7,
  });
  expect(await orgs('limits', 'LIMITED', '--seats', 'usual')).toBe(
    `LIMITED: ${limits.seats} seats, 7 sub-organisations`,
  );
  await orgs('limits', 'LIMITED');
  expect(await entries('LIMITED')).toEqual(
    [
      [{ seats: limits.seats }, { seats: 0 }],
      [{ sub_organisations: limits.subOrganisations }, { sub_organisations: 7 }],
      [{ seats: 0 }, { seats: limits.seats }],
    ].map(([before, after]) => ({
      action: 'organisation.limits-changed',
      actor_kind: 'operator',
      before,
      after,
    })),
  );
  for (const wrong of ['-1', '1.5', 'many', '12345678', '']) {
    await expect(orgs('limits', 'LIMITED', `--seats=${wrong}`), wrong).rejects.toThrow('whole number');
  }
});

it('simcube orgs renames, except settlement customers, to a name that is free and valid', async () => {
  await create('RENAMED', '--parent', 'TOP');
  expect(await orgs('rename', 'RENAMED', 'Renamed Limited Two')).toBe('RENAMED is Renamed Limited Two');
  expect(await entries('RENAMED')).toMatchObject([
    {
      action: 'organisation.updated',
      before: { name: 'RENAMED Limited' },
      after: { name: 'Renamed Limited Two' },
    },
  ]);
  await expect(orgs('rename', 'RENAMED', 'payer limited')).rejects.toThrow('The name already exists.');
  await expect(orgs('rename', 'RENAMED', 'Four')).rejects.toThrow('name: At least 5 characters');
  await expect(orgs('rename', 'PAYER', 'Another name')).rejects.toThrow(
    'The name of a settlement customer cannot be edited.',
  );
});

it('simcube orgs sets a logo, which consoles and bills show, and removes it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'logo-'));
  const file = async (content: Buffer): Promise<string> => {
    const path = join(folder, `${content.length}.png`);
    await writeFile(path, content);
    return path;
  };
  const png = Buffer.from(demoLogo.split(',')[1] ?? '', 'base64');
  const stored = async (): Promise<string | null> =>
    (await database.pool.query(`select logo from organisations where code = 'BRANDED'`)).rows[0].logo;
  await create('BRANDED', '--parent', 'TOP', '--logo', await file(png));
  expect(await stored()).toBe(demoLogo);
  const digest = expect.stringMatching(/^SHA-256 [0-9a-f]{64}$/);
  expect((await entries('TOP')).at(-1).after).toMatchObject({ code: 'BRANDED', logo: digest });
  expect(await orgs('logo', 'BRANDED', '--remove')).toBe('BRANDED has no logo of its own');
  expect(await stored()).toBeNull();
  expect(JSON.parse(await orgs('logo', 'branded', await file(png), '--json'))).toEqual({
    code: 'BRANDED',
    logo: true,
  });
  expect(await entries('BRANDED')).toMatchObject([
    { action: 'organisation.updated', before: { logo: digest }, after: { logo: null } },
    { action: 'organisation.updated', before: { logo: null }, after: { logo: digest } },
  ]);
  const tooLarge = Buffer.concat([png, Buffer.alloc(limits.organisationLogo)]);
  await expect(orgs('logo', 'BRANDED', await file(tooLarge))).rejects.toThrow('at most 6144 are allowed');
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  for (const wrong of [svg, png.subarray(0, 200)])
    await expect(orgs('logo', 'BRANDED', await file(wrong))).rejects.toThrow('must be a whole PNG file');
  await expect(orgs('logo', 'BRANDED')).rejects.toThrow('Give a file, or --remove');
  expect(await stored()).toBe(demoLogo);
  await rm(folder, { recursive: true });
});

it('simcube orgs deletes an organisation without dependants', async () => {
  await create('DELETED', '--parent', 'TOP');
  const { rows } = await database.pool.query(`select id from organisations where code = 'DELETED'`);
  const sim = await makeSim(database.pool, rows[0].id, {});
  await expect(orgs('delete', 'DELETED')).rejects.toThrow('The customer could not be deleted');
  await expect(orgs('delete', 'TOP')).rejects.toThrow('The customer could not be deleted');
  await database.pool.query('delete from sims where id = $1', [sim.id]);
  expect(await orgs('delete', 'DELETED')).toBe('Deleted DELETED');
  await expect(orgs('show', 'DELETED')).rejects.toThrow('There is no organisation DELETED');
  expect((await entries('TOP')).at(-1)).toMatchObject({
    action: 'organisation.deleted',
    actor_kind: 'operator',
    before: { code: 'DELETED', name: 'DELETED Limited' },
  });
});

it('simcube orgs rejects invalid organisations', async () => {
  await expect(create('top')).rejects.toThrow('Organisation top already exists');
  await expect(
    orgs('create', 'OTHER', '--name', 'PAYER LIMITED', '--country', 'DE', '--parent', 'TOP'),
  ).rejects.toThrow('An organisation named PAYER LIMITED already exists');
  await expect(orgs('create', 'OTHER', '--name', 'Other Ltd', '--country', 'ZZ')).rejects.toThrow('ISO 3166');
  await expect(orgs('limits', 'NOBODY', '--seats', '1')).rejects.toThrow('There is no organisation NOBODY');
});
