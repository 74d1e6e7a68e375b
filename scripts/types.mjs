// Type-checks every workspace.
import { join } from 'node:path';
import { root, runOrExit } from './run.mjs';

const directories = [
  'packages/contract',
  'packages/client',
  'packages/phrases',
  'packages/radius',
  'packages/smpp',
  'apps/server',
  'apps/network-sim',
  'apps/web',
  'bench',
  'e2e',
];
// Several checkers would each work out the types that their files share: together they take twice the processor's time.
const options = ['--checkers', '1'];
for (const directory of directories) {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  await runOrExit(process.execPath, [tsc, ...options, '-p', join(root, directory)]);
}
