// `npm run test:node -- 22 [file …]`: unit, database and HTTP tests on another version of Node.js, downloaded with npm.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { build } from './build.mjs';
import { root } from './run.mjs';
import { useScratchInMemory } from './scratch.mjs';
import { readTests, reportTests } from './test-counts.mjs';

const versions = ['20', '22', '24'];
const [version, ...files] = process.argv.slice(2);
if (!versions.includes(version)) {
  console.error(`Which version? npm run test:node -- ${versions.join('|')} [file …]`);
  process.exit(2);
}

/** The Node.js program of that version, from the registry's package `node`, which npm caches. */
const findNode = () => {
  const { stdout, status } = spawnSync(
    'npm',
    ['exec', '--yes', '--package', `node@${version}`, '--', 'node', '-p', 'process.execPath'],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  );
  if (status === 0) return stdout.trim();
  console.error(`Node.js ${version} can not be had from the registry`);
  process.exit(1);
};

await build();
useScratchInMemory();
const node = findNode();
const results = join(root, 'node_modules', '.simcube', 'results', `node-${version}.json`);
mkdirSync(dirname(results), { recursive: true });
rmSync(results, { force: true });
const kinds = ['unit', 'database', 'http'].flatMap((kind) => ['--project', kind]);
const { status } = spawnSync(
  node,
  [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    ...kinds,
    ...['--reporter=default', '--reporter=json', `--outputFile.json=${results}`],
    ...files,
  ],
  // Programs that tests start by name must use that version too.
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` },
  },
);
const { stdout: exact } = spawnSync(node, ['--version'], { encoding: 'utf8' });
console.log(`\nNode.js ${exact.trim()}`);
process.exit(reportTests(readTests({ vitest: [results] })) && status === 0 ? 0 : 1);
