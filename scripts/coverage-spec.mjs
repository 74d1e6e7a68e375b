// `npm run coverage:spec`: which parts of the specification are implemented, and which are missing.
import { join } from 'node:path';
import { root, runOrExit } from './run.mjs';

const program = join(root, 'apps/server/src/testing/house/print-spec-coverage.ts');
await runOrExit(process.execPath, ['--import', 'tsx', program, ...process.argv.slice(2)]);
