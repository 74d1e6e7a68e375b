import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { hourMs } from '@simcube/contract/time';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../platform/db/index.ts';
import { testDatabase } from '../../testing/database.ts';
import {
  expectedUsage,
  fileOf,
  makeUsageSims,
  someRecords,
  storedUsage,
  type UsageSim,
} from '../../testing/usage-records.ts';

// Built by the set-up of these tests.
const program = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
const run = promisify(execFile);
const email = 'ana@acme.example';

let database: Database;
let folder: string;
let sims: UsageSim[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simcube-cdrs-cli-'));
  database = await testDatabase();
  sims = await makeUsageSims(database.pool);
  await database.pool.query(
    `with person as (
       insert into users (email, first_name, last_name, password_hash) values ($1, 'Ana', 'M', '-') returning id)
     insert into memberships (user_id, org_id, role, is_default) select id, $2, 'admin', true from person`,
    [email, sims[0]?.orgId],
  );
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

// If the tests run on another PostgreSQL, its variable is unknown to the command.
const { SIMCUBE_TEST_DATABASE_URL: _, ...environment } = process.env;

/** The command as an operator calls it, in a separate process. */
const simcube = (...args: string[]) =>
  run(process.execPath, [program, ...args], {
    env: {
      ...environment,
      DATABASE_URL: database.url,
      SIMCUBE_DATA_DIR: join(folder, 'data'),
      SIMCUBE_SECRET_KEY: 'c'.repeat(64),
    },
  });

const tasks = async () =>
  (
    await database.pool.query(
      'select type, status, remark, quantity, done, result, org_id from tasks order by id',
    )
  ).rows;

describe('simcube cdrs import', () => {
  it('imports a file and shows it to a person as a task', { timeout: 240_000 }, async () => {
    const all = someRecords(sims, 40, new Date(Date.now() - hourMs));
    const path = join(folder, 'november.csv');
    await writeFile(path, `${fileOf(all)}unknown,r,2026-11-20T00:00:00Z,1,1,,,\n`);
    // The exit code reports a refused line; the others are still counted.
    const imported = simcube('cdrs', 'import', path, '--for', email, '--json');
    const { stdout, code } = await imported.then(
      () => Promise.reject(new Error('It should fail')),
      (error: { stdout: string; code: number }) => error,
    );
    expect(code).toBe(1);
    const counts = { accepted: 40, duplicate: 0, refused: 1 };
    expect(JSON.parse(stdout)).toEqual({
      file: 'november.csv',
      lines: 42,
      ...counts,
      refusals: [{ line: 42, reason: 'unknown-sim' }],
      known: false,
    });
    expect(await storedUsage(database.pool)).toEqual(expectedUsage(all));
    const { rows: queued } = await database.pool.query(
      `select task_identifier from graphile_worker.jobs where task_identifier like 'cdr.%'`,
    );
    expect(queued).toEqual([{ task_identifier: 'cdr.count-all-hours' }]);
    expect(await tasks()).toEqual([
      {
        type: 'cdr-import',
        status: 'issues',
        remark: 'november.csv',
        quantity: 41,
        done: 41,
        result: counts,
        org_id: sims[0]?.orgId,
      },
    ]);
  });

  it('reports its result on standard output, and refused lines on standard error', async () => {
    const path = join(folder, 'december.csv');
    await writeFile(path, `${fileOf([])}unknown,r,2026-11-20T00:00:00Z,1,1,,,\nunknown\n`);
    await expect(simcube('cdrs', 'import', path)).rejects.toMatchObject({
      stdout: 'december.csv: 0 accepted, 0 duplicate, 2 refused\n',
      stderr: 'line 2: unknown-sim\nline 3: column-count\n',
    });
  });

  it('fails without importing when the address is unknown', { timeout: 240_000 }, async () => {
    const path = join(folder, 'other.csv');
    await writeFile(path, fileOf(someRecords(sims, 3, new Date(Date.now() - 7_200_000))));
    const before = await storedUsage(database.pool);
    await expect(simcube('cdrs', 'import', path, '--for', 'nobody@acme.example')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nobody@acme.example'),
    });
    expect(await storedUsage(database.pool)).toEqual(before);
    expect(await tasks()).toHaveLength(1);
  });
});
