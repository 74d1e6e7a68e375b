// `npm run bench [-- section … --options]`: measures the product against its budgets (docs/benchmarks.md).
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from './build.mjs';
import { root } from './run.mjs';

await build();
const { status } = spawnSync(
  process.execPath,
  ['--import', 'tsx', join(root, 'bench/src/main.ts'), ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
);
process.exit(status ?? 1);
