import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cellKey } from '@simcube/radius';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { connect, migrate } from '../platform/db/index.ts';
import { prepareJobs } from '../platform/jobs/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../testing/app.ts';
import { commandLine } from '../testing/command-line.ts';
import { projectRoot } from '../testing/house/source-tree.ts';

const docs = fileURLToPath(new URL('../../../../docs', import.meta.url));
const operations = readFileSync(join(docs, 'operations.md'), 'utf8');
const example = (name: string): string => join(docs, 'examples', name);

let test: TestApp;
let simcube: ReturnType<typeof commandLine>;

beforeAll(async () => {
  test = await testApp();
  simcube = commandLine(test, docs);
  await makeOrganisation(test, { code: 'ACME' });
});
afterAll(() => test.close());

describe('the examples of docs/file-formats.md', () => {
  it('are imported completely and idempotently', async () => {
    const imported = async (area: string, file: string): Promise<unknown> => {
      const { out, errors, failed } = await simcube.run([area, 'import', example(file), '--json']);
      expect({ errors, failed }).toEqual({ errors: '', failed: false });
      return JSON.parse(out);
    };
    expect(await imported('bundles', 'bundles.json')).toEqual({ made: 2, changed: 0, unchanged: 0 });
    expect(await imported('bundles', 'bundles.json')).toEqual({ made: 0, changed: 0, unchanged: 2 });
    expect(await imported('sims', 'sims.csv')).toMatchObject({ accepted: 2, duplicate: 0, refused: 0 });
    expect(await imported('sims', 'sims.csv')).toMatchObject({ accepted: 0, duplicate: 2, refused: 0 });
    expect(await imported('cdrs', 'cdrs.csv')).toMatchObject({ accepted: 2, duplicate: 0, refused: 0 });
    expect(await imported('cells', 'cells.csv')).toMatchObject({ refused: 0 });
    const { rows } = await test.database.pool.query(
      'select sum(up_bytes + down_bytes)::bigint as used from cdrs',
    );
    expect(rows).toEqual([{ used: 120_400 + 880_200 + 98_000 + 410_000 }]);
    // As accounting stores it: otherwise usage of sessions has no place.
    const cell = cellKey({ type: 'cgi', mcc: '214', mnc: '07', lac: 1, cellId: 1 });
    for (const table of ['cells', 'cdrs'])
      expect((await test.database.pool.query(`select distinct cell from ${table}`)).rows).toEqual([{ cell }]);
  });
});

describe('the catalogue of docs/file-formats.md', () => {
  const run = async (...args: string[]): Promise<Record<string, unknown>> => {
    const { out, errors, failed } = await simcube.run(['catalogue', ...args, '--json']);
    expect({ errors, failed }).toEqual({ errors: '', failed: false });
    return JSON.parse(out);
  };
  const kinds = ({ changes }: Record<string, unknown>) =>
    (changes as { kind: string; change: string }[]).map(({ kind, change }) => `${kind} ${change}`);

  it.each([
    ['catalogue.yaml', ['bundle made', 'zone made', 'zone made', 'tariff made']],
    ['gateways.yaml', ['gateway made']],
  ])('is applied as planned and idempotently: %s', async (name, changes) => {
    vi.stubEnv('MADRID_SECRET', 'a secret of Madrid');
    const planned = await run('plan', example(name));
    expect(planned).toMatchObject({ applied: false });
    expect(kinds(planned)).toEqual(changes);
    const applied = await run('apply', example(name));
    expect(applied).toEqual({ ...planned, applied: true });
    const again = await run('apply', example(name));
    expect(kinds(again).every((kind) => kind.endsWith('unchanged'))).toBe(true);
    vi.unstubAllEnvs();
  });
});

describe('the first steps of docs/operations.md', () => {
  const [, block = ''] = /Once a server runs, in this order:\n\n```sh\n([\s\S]*?)```/.exec(operations) ?? [];
  const commands = block
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  /** The arguments as the shell passes them. */
  const argumentsOf = (command: string): string[] =>
    [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare = '']) => quoted ?? bare);

  it('work one after the other, with the example files', async () => {
    const fresh = await testApp();
    // In a checkout, commands run in the project's directory, as these tests do.
    expect(process.cwd()).toBe(projectRoot);
    try {
      const { run } = commandLine(fresh, docs);
      for (const command of commands) {
        const [, piped, text = ''] = /^(printf %s "\$SECRET" \| )?simcube (.*)$/.exec(command) ?? [];
        const args = argumentsOf(text);
        // There is no terminal that asks for a password.
        if (args[0] === 'users') args.push('--generate-password');
        const { errors, failed } = await run(args, piped ? { stdin: 'a shared secret' } : {});
        expect({ command, errors, failed }).toEqual({ command, errors: '', failed: false });
      }
      const { rows } = await fresh.database.pool.query(
        `select o.code, count(*)::int as sims, count(b.id)::int as orders from sims s
           join organisations o on o.id = s.org_id left join bundle_orders b on b.sim_id = s.id
         group by o.code`,
      );
      expect(rows).toEqual([{ code: 'acme', sims: 2, orders: 2 }]);
      const ready = await fresh.database.pool.query(
        `select (select count(*) from org_tariffs)::int as tariffs, (select count(*) from cells)::int as cells,
           (select array_agg(name) from radius_clients) as gateways`,
      );
      expect(ready.rows).toEqual([{ tariffs: 1, cells: 1, gateways: ['paris-1'] }]);
    } finally {
      await fresh.close();
    }
  });
});

describe('docs/operations.md', () => {
  it('lists every command of the command line', () => {
    const missing = simcube.commands
      .map(({ name }) => name)
      .filter((name) => !operations.includes(`\`${name}`));
    expect(missing).toEqual([]);
  });

  it('grants the privileges that a database role needs to migrate and to queue jobs', async () => {
    const [, statements = ''] =
      /## Rights of the database role[\s\S]*?```sql\n([\s\S]*?)```/.exec(operations) ?? [];
    const [atServer = '', inDatabase = ''] = statements.split('\\c simcube');
    const name = 'documented_role';
    const here = (text: string) => text.replaceAll('simcube', name).replace('…', name);
    const server = new URL(inject('databaseUrl'));
    const run = async (database: string, text: string) => {
      const client = new pg.Client({ connectionString: new URL(`/${database}`, server).href });
      await client.connect();
      try {
        for (const statement of text.split(';').filter((one) => one.trim() !== ''))
          await client.query(statement);
      } finally {
        await client.end();
      }
    };
    await run('postgres', here(atServer));
    try {
      await run(name, here(inDatabase));
      const url = new URL(`/${name}`, server);
      [url.username, url.password] = [name, name];
      const { pool, close } = connect({ url: url.href, max: 2, name: 'role', onError: () => undefined });
      try {
        const migrations = fileURLToPath(new URL('../../migrations', import.meta.url));
        expect(await migrate(pool, migrations)).toContain('0001_organisations.sql');
        await prepareJobs(pool);
        const { rows } = await pool.query('select rolsuper from pg_roles where rolname = current_user');
        expect(rows).toEqual([{ rolsuper: false }]);
      } finally {
        await close();
      }
    } finally {
      await run('postgres', `drop database ${name} with (force); drop role ${name}`);
    }
  });
});
