import { spawn } from 'node:child_process';
import { cpSync, existsSync, linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../apps/server/src/testing/database.ts';
import { buildProducts } from './build.mjs';
import { root } from './run.mjs';
import { filesBelow, nodeFlags } from './setup.mjs';

/** An installation as described in docs/operations.md: built elsewhere, without development packages, with nothing left to build. */
let installation;
let database;
let server;

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));

/** Paths of the package at `path` and its dependencies, as far as they are installed on this platform. */
const dependenciesOf = (path, found = new Set()) => {
  const entry = packages[path];
  const names = { ...entry.dependencies, ...entry.optionalDependencies, ...entry.peerDependencies };
  for (const name of Object.keys(names)) {
    const needed = findPackage(path, name);
    if (!needed || found.has(needed) || packages[needed].link || !existsSync(join(root, needed))) continue;
    found.add(needed);
    dependenciesOf(needed, found);
  }
  return found;
};

/** Path where Node finds the package: in the package's own node_modules, or in those above. */
const findPackage = (path, name) => {
  const candidate = `${path}${path && '/'}node_modules/${name}`;
  if (candidate in packages) return candidate;
  return path === '' ? undefined : findPackage(path.replace(/\/?[^/]+$/, ''), name);
};

/** Copies with hard links where the file system allows it, because copying everything takes long. */
const copyBelow = (path) => {
  for (const file of filesBelow(join(root, path))) {
    const [from, to] = [join(root, path, file), join(installation, path, file)];
    mkdirSync(dirname(to), { recursive: true });
    try {
      linkSync(from, to);
    } catch {
      cpSync(from, to);
    }
  }
};

const manual = readFileSync(join(root, 'docs/operations.md'), 'utf8');

const run = (command, env) => {
  const [, ...args] = command.split(' ');
  return spawn(process.execPath, args, {
    cwd: installation,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
};

beforeAll(async () => {
  installation = mkdtempSync(join(tmpdir(), 'simcube-production-'));
  await buildProducts();
  for (const path of ['apps/server/dist', 'apps/server/migrations', 'apps/web/dist']) copyBelow(path);
  cpSync(join(root, 'apps/server/package.json'), join(installation, 'apps/server/package.json'));
  // Packages in a package's own node_modules are copied with it.
  for (const path of dependenciesOf('apps/server'))
    if (!/node_modules.*node_modules/.test(path)) copyBelow(path);
  database = await testDatabase({ max: 2 });
});
afterAll(async () => {
  if (server && server.exitCode === null) {
    server.kill('SIGKILL');
    await new Promise((resolve) => server.once('exit', resolve));
  }
  await database?.close();
  rmSync(installation, { recursive: true, force: true });
});

test('the built server runs by the documented command, without development packages or a build', async () => {
  const { resolve } = createRequire(join(installation, 'apps/server/package.json'));
  expect(() => resolve('esbuild')).toThrow('Cannot find module');
  const command = manual.split('\n').find((line) => /^node .*apps\/server\/dist\/server\.js/.test(line));
  expect(command).toBe(`node ${nodeFlags.join(' ')} apps/server/dist/server.js`);
  server = run(command, {
    DATABASE_URL: database.url,
    SIMCUBE_DEMO: '0',
    SIMCUBE_PORT: '0',
    SIMCUBE_MANAGEMENT_PORT: '0',
    SIMCUBE_RADIUS_AUTH_PORT: '0',
    SIMCUBE_RADIUS_ACCT_PORT: '0',
  });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const url = await new Promise((resolve, reject) => {
    server.once('exit', (code) => reject(new Error(`The server ended (${code})`)));
    createInterface({ input: server.stdout }).on('line', (line) => {
      if (line.startsWith('{') && JSON.parse(line).msg === 'ready') resolve(JSON.parse(line).url);
    });
  });
  expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ready' });
  expect(await (await fetch(`${url}/en-US/login`)).text()).toContain('<div id="root">');
  server.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test('the built command line runs without development packages', async () => {
  const command = 'node apps/server/dist/cli.js';
  expect(manual).toContain(`\`${command}\``);
  const child = run(`${command} --help`, {});
  let output = '';
  for await (const chunk of child.stdout) output += chunk;
  expect(output).toContain('Usage: simcube');
});
