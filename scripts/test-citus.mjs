// `npm run test:citus [-- file …]`: database, HTTP and network tests on a Citus cluster, a given one or one created here.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from './build.mjs';
import { citusUnavailableReason, startCluster } from './citus.mjs';
import { root } from './run.mjs';
import { readTests, reportTests } from './test-counts.mjs';

const { SIMCUBE_TEST_DATABASE_URL: givenUrl } = process.env;
const reason = givenUrl ? undefined : citusUnavailableReason();
if (reason) {
  console.error(reason);
  process.exit(1);
}

await build();
const cluster = givenUrl ? { url: givenUrl, stop: () => undefined } : await startCluster();
// The tests receive the interrupt too, and end; the cluster is removed after them.
process.on('SIGINT', () => undefined);
try {
  const results = join(root, 'node_modules', '.simcube', 'results', 'citus.json');
  mkdirSync(dirname(results), { recursive: true });
  rmSync(results, { force: true });
  const kinds = ['database', 'http', 'network'].flatMap((kind) => ['--project', kind]);
  const { status } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      ...kinds,
      ...['--reporter=default', '--reporter=json', `--outputFile.json=${results}`],
      ...process.argv.slice(2),
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, SIMCUBE_TEST_DATABASE_URL: cluster.url },
    },
  );
  process.exitCode = reportTests(readTests({ vitest: [results] })) && status === 0 ? 0 : 1;
} finally {
  cluster.stop();
}
