import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
let project;

/** A project outside of the repository with the packages as npm installs them. */
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'simcube-project-'));
  execFileSync(process.execPath, [join(root, 'scripts/pack-client.mjs'), project]);
  for (const name of ['contract', 'client']) {
    const directory = join(project, 'node_modules/@simcube', name);
    mkdirSync(directory, { recursive: true });
    const file = readdirSync(project).find((one) => one.startsWith(`simcube-${name}-`));
    execFileSync('tar', ['-xzf', join(project, file), '-C', directory, '--strip-components=1']);
  }
  symlinkSync(join(root, 'node_modules/zod'), join(project, 'node_modules/zod'), 'junction');
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
}, 120_000);
afterAll(() => rmSync(project, { recursive: true, force: true }));

const node = (args) => execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8' });

test('the packed client depends on the contract of the same version, and both on nothing else of ours', () => {
  const manifest = (name) =>
    JSON.parse(readFileSync(join(project, 'node_modules/@simcube', name, 'package.json'), 'utf8'));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(manifest('client')).toMatchObject({ version, dependencies: { '@simcube/contract': version } });
  expect(Object.keys(manifest('contract').dependencies)).toEqual(['zod']);
});

test('a program with the packed client runs', () => {
  const program = `import { createClient } from '@simcube/client';
    import { endpoints } from '@simcube/contract';
    import { lifecycleNumbers } from '@simcube/contract/sim';
    console.log(typeof createClient, endpoints.sim.list.path, lifecycleNumbers.active);`;
  expect(node(['--input-type=module', '-e', program])).toBe('function /cube/sim/list/es 23\n');
});

test('the examples of the manual are type-checked with it, and mistakes found', () => {
  const recipes = readFileSync(join(root, 'docs/recipes.md'), 'utf8');
  const [example = ''] = [...recipes.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2023',
    skipLibCheck: false,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts'] }));
  const check = (code) => {
    writeFileSync(join(project, 'main.ts'), code);
    return node([join(root, 'node_modules/typescript/bin/tsc'), '-p', project]);
  };
  expect(check(example)).toBe('');
  expect(() => check(example.replace('sim.iccid', 'sim.icccid'))).toThrow();
}, 120_000);
