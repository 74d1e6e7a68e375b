// `npm run simcube -- …`: the operator's command line.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from './build.mjs';
import { root } from './run.mjs';
import { commandFlags } from './setup.mjs';

await build();
const { status } = spawnSync(
  process.execPath,
  [...commandFlags, join(root, 'apps/server/dist/cli.js'), ...process.argv.slice(2)],
  { stdio: 'inherit' },
);
process.exit(status ?? 1);
