import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOrganisation, signedInAs, type TestApp, testApp } from '../../testing/app.ts';
import { commandLine } from '../../testing/command-line.ts';
import { sharedBundle } from '../../testing/pools.ts';
import { createBundle } from '../bundle/index.ts';

let test: TestApp;
let directory: string;
let simcube: ReturnType<typeof commandLine>;

beforeAll(async () => {
  test = await testApp();
  directory = await mkdtemp(join(tmpdir(), 'simcube-import-'));
  simcube = commandLine(test, directory);
  await makeOrganisation(test, { code: 'ACME' });
});
afterAll(async () => {
  await rm(directory, { recursive: true });
  await test.close();
});

const path = (name: string): string => join(directory, name);
const content = 'iccid,imsi,organisation_code\n8934071234567890123,214071234567890,NONE\n';

describe('an organisation that a command names', () => {
  it.each([
    ['sims', 'list'],
    ['tasks', 'list', '--org'],
    ['audit', 'list', '--org'],
  ])('is found in any letter case, and said to be none: %s %s', async (...args) => {
    expect(await simcube.run([...args, 'acme'])).toMatchObject({ failed: false, errors: '' });
    const missing = {
      failed: true,
      out: '',
      errors: expect.stringContaining('There is no organisation ACNE'),
    };
    expect(await simcube.run([...args, 'ACNE'])).toMatchObject(missing);
  });

  it('is found in any letter case by pools', async () => {
    await createBundle(test.database.pool, sharedBundle('P1'));
    const pool = (code: string) => ['pools', 'set', code, 'Fleet', '--bundle', 'P1'];
    expect((await simcube.run(pool('acme'))).failed).toBe(false);
    const again = await simcube.run([...pool('Acme'), '--json']);
    expect(again).toMatchObject({ failed: false, errors: '' });
    const { rows } = await test.database.pool.query('select name from pools');
    expect(rows).toEqual([{ name: 'Fleet' }]);
  });
});

it('a task that there is not is said to be none', async () => {
  const said = await simcube.run(['tasks', 'show', 'T00000404']);
  expect(said).toMatchObject({ failed: true, errors: expect.stringContaining('There is no task T00000404') });
});

it('a task says how far it is, also where nothing was refused', async () => {
  const { userId, orgId } = await signedInAs(test, 'admin', await makeOrganisation(test, { code: 'BUSY' }));
  const { rows } = await test.database.pool.query<{ id: number }>(
    `insert into tasks (org_id, user_id, type, quantity, done, started_at, moved_at)
     values ($1, $2, 'sim-notes', 3, 2, now(), now()) returning id`,
    [orgId, userId],
  );
  const show = ['tasks', 'show', `T${String(rows[0]?.id).padStart(8, '0')}`];
  expect(JSON.parse((await simcube.run([...show, '--json'])).out)).toMatchObject({
    organisation: 'BUSY',
    status: 'processing',
    done: 2,
    quantity: 3,
    refused: [],
  });
  const { out } = await simcube.run(show);
  expect(out).toMatch(/^T\d{8}\tBUSY\t\S+@\S+\tsim-notes\tprocessing\t2\/3\n$/);
});

it('what is read more than once is a file, and neither a pipe nor a directory', async () => {
  for (const args of [
    ['cdrs', 'import'],
    ['sims', 'import', '--for', 'nobody@acme.example'],
  ]) {
    expect((await simcube.run([...args, '/dev/null'])).errors).toBe(
      '/dev/null can be read only once, but must be read more than once: write it to a file first\n',
    );
    expect((await simcube.run([...args, directory])).errors).toBe(`${directory} is a directory\n`);
  }
});

describe('simcube sims import --refused', () => {
  it('does not empty the file that it is to read, under whatever name', async () => {
    await writeFile(path('sims.csv'), content);
    await symlink(path('sims.csv'), path('link.csv'));
    for (const refused of ['sims.csv', 'link.csv']) {
      const said = await simcube.run(['sims', 'import', path('sims.csv'), '--refused', path(refused)]);
      expect(said).toMatchObject({
        failed: true,
        errors: expect.stringContaining('--refused must not name the file'),
      });
      expect(await readFile(path('sims.csv'), 'utf8')).toBe(content);
    }
  });

  it.runIf(process.platform === 'linux')(
    'stops with an error when the refused lines can’t be written',
    async () => {
      const lines = Array.from(
        { length: 2_000 },
        (_, n) => `89340712345678${String(n).padStart(5, '0')},,NONE`,
      );
      await writeFile(path('many.csv'), ['iccid,imsi,organisation_code', ...lines].join('\n'));
      const said = await simcube.run(['sims', 'import', path('many.csv'), '--refused', '/dev/full']);
      expect(said).toMatchObject({ failed: true, out: '', errors: expect.stringContaining('ENOSPC') });
    },
  );

  it('leaves what it wrote before when there is nothing to import', async () => {
    await writeFile(path('refused.csv'), 'line,reason\n');
    const said = await simcube.run(['sims', 'import', path('none.csv'), '--refused', path('refused.csv')]);
    expect(said.failed).toBe(true);
    await writeFile(path('sims.csv'), content);
    await simcube.run(['sims', 'import', path('sims.csv'), '--refused', path('refused.csv')]);
    expect(await readFile(path('refused.csv'), 'utf8')).toMatch(
      /^line,reason\n2,"organisation_code: there is no/,
    );
  });
});
