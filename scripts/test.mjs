// `npm test`: every check and every test, counted by kind. Stops if a check fails; failing tests do not stop the others.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { citusUnavailableReason } from './citus.mjs';
import { providePeers } from './peers.mjs';
import { root } from './run.mjs';
import { useScratchInMemory } from './scratch.mjs';
import { readTests, reportTests } from './test-counts.mjs';

await build();
const missingPeers = providePeers();

useScratchInMemory();
const bin = (name) => join(root, 'node_modules', '.bin', name);
const results = join(root, 'node_modules', '.simcube', 'results');
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

const checks = [
  ['lint and format', bin('biome'), ['check', '.']],
  ['types', process.execPath, [join(root, 'scripts/types.mjs')]],
  ['import rules', bin('depcruise'), ['--config', '.dependency-cruiser.cjs', 'apps', 'packages']],
  ['dead code', bin('knip'), []],
  ['spec coverage', process.execPath, [join(root, 'scripts/coverage-spec.mjs'), '--summary']],
];

/** Runs a check in parallel with the others; its output is printed as a whole when it ends. */
const check = ([name, command, args]) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    child.once('error', reject);
    child.once('close', (code, signal) => {
      console.log(`\n── ${name}\n${output.trimEnd()}`);
      if (code !== 0) console.error(`${name} failed (${signal ?? code})`);
      resolve(code === 0);
    });
  });
if (!(await Promise.all(checks.map(check))).every(Boolean)) process.exit(1);

/** Runs tests; failures are counted and not fatal, so that one run shows all of them. */
const run = (name, command, args, { env = {}, stdin = 'inherit' } = {}) => {
  console.log(`\n── ${name}`);
  const child = spawn(command, args, {
    cwd: root,
    stdio: [stdin, 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  });
  const succeeded = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code === 0));
  });
  return { child, succeeded };
};

const vitest = (name, projects) => {
  const output = join(results, `${projects.join('-')}.json`);
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${output}`];
  const { succeeded } = run(name, bin('vitest'), [
    ...args,
    ...projects.map((project) => `--project=${project}`),
  ]);
  return { output, succeeded };
};

const playwrightResults = join(results, 'playwright.json');
const mainTests = vitest('unit, web, database and HTTP tests', ['unit', 'web', 'database', 'http']);
const outcomes = [await mainTests.succeeded];
// Network tests mostly wait for their peers: in the meantime, the browser tests start the product.
const browser = run('browser tests', bin('playwright'), ['test', '--config', 'e2e/playwright.config.ts'], {
  env: { PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightResults, SIMCUBE_E2E_HELD: '1' },
  stdin: 'pipe',
});
const network = vitest('network tests', ['network']);
outcomes.push(await network.succeeded);
browser.child.stdin.end();
outcomes.push(await browser.succeeded);

const tests = readTests({ vitest: [mainTests.output, network.output], playwright: [playwrightResults] });
const skipped = tests.flatMap(({ kind, name, status }) =>
  kind !== 'browser' && status === 'skipped' ? [name] : [],
);
for (const { name, tests: peerTests, reason } of missingPeers) {
  const count = skipped.filter((test) => peerTests.test(test)).length;
  console.warn(`\n${count} tests with ${name} did not run: ${reason}`);
}
for (const name of skipped) {
  if (!missingPeers.some(({ tests: peerTests }) => peerTests.test(name)))
    console.warn(`\nDid not run: ${name}`);
}
console.warn(
  `\n${citusUnavailableReason() ?? 'On Citus, which this machine has, tests run by `npm run test:citus`.'}`,
);
process.exit(reportTests(tests) && outcomes.every(Boolean) ? 0 : 1);
