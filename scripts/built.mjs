// `npm run bench` and `npm run drill`: builds the product and runs a TypeScript program that uses it.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from './build.mjs';
import { root } from './run.mjs';

const [program, ...args] = process.argv.slice(2);
await build();
const { status } = spawnSync(process.execPath, ['--import', 'tsx', join(root, program), ...args], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(status ?? 1);
