// Type-checks all workspaces: those of one environment together, so that shared files are checked once.
import { join } from 'node:path';
import { root, runOrExit } from './run.mjs';

const programs = ['tsconfig.node.json', 'tsconfig.tools.json', 'apps/web/tsconfig.json'];
// Several checkers would each compute the types of shared files and together use twice the processor time.
const options = ['--checkers', '1'];
for (const program of programs) {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  await runOrExit(process.execPath, [tsc, ...options, '-p', join(root, program)]);
}
