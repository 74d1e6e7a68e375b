import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { projectRoot } from '../../platform/env/index.ts';
import { makeOrganisation, signedInAs, type TestApp, testApp } from '../../testing/app.ts';
import { makeSim } from '../../testing/inventory.ts';
import { buildRecipe, recipe } from '../../testing/recipes.ts';
import { createApiKey } from '../../testing/signing.ts';

/** Runs every snippet of docs/recipes.md that calls the API as a developer would, in a separate folder. */

const run = promisify(execFile);
let test: TestApp;
let directory: string;
let iccid: string;
let environment: Record<string, string>;

beforeAll(async () => {
  test = await testApp();
  test.clock.set(new Date());
  directory = await mkdtemp(join(tmpdir(), 'simcube-recipes-'));
  const developer = await signedInAs(test, 'admin', await makeOrganisation(test, { code: 'northwind' }));
  ({ iccid } = await makeSim(test.database.pool, developer.orgId, {}));
  const { id, privateKey } = await createApiKey(developer);
  await writeFile(join(directory, 'key.pem'), privateKey);
  // A shell's environment, without the settings of this machine.
  environment = { SIMCUBE_URL: await test.listen(), KEY_ID: id, KEY_FILE: join(directory, 'key.pem') };
});

afterAll(async () => {
  await test.close();
  await rm(directory, { recursive: true, force: true });
});

const printed = async (program: string, args: readonly string[]): Promise<string> => {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, ...environment };
  const { stdout } = await run(program, args, { cwd: directory, env });
  return stdout;
};
const expectSim = (stdout: string): void =>
  expect(JSON.parse(stdout)).toMatchObject({ data: [{ iccid }], total_count: 1 });

it('curl and openssl', async () => {
  expectSim(await printed('bash', ['-euc', recipe('curl', 'bash')]));
});

it('Python', async () => {
  expectSim(await printed('python3', ['-c', recipe('Python', 'python')]));
});

it('Node', async () => {
  expectSim(await printed(process.execPath, ['--input-type=module', '-e', recipe('Node', 'js')]));
});

it('TypeScript with the client, in a project of its own', async () => {
  expectSim(await printed(process.execPath, [await buildRecipe('TypeScript', directory)]));
});

it('the command line', async () => {
  await writeFile(
    join(directory, 'simcube'),
    `#!/bin/sh\nexec "${process.execPath}" "${join(projectRoot, 'apps/server/dist/cli.js')}" "$@"\n`,
    { mode: 0o755 },
  );
  const command = recipe('Command', 'bash').replace(/^simcube/, './simcube');
  expectSim(await printed('sh', ['-euc', command]));
});
