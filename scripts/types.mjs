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
for (const directory of directories) {
  await runOrExit(process.execPath, [
    join(root, 'node_modules/typescript/bin/tsc'),
    '-p',
    join(root, directory),
  ]);
}
