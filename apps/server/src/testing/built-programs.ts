import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from './house/source-tree.ts';

/** Vitest's global set-up for the kinds of tests that start programs: bundles those whose sources changed. */
export const setup = (): void => {
  execFileSync(process.execPath, [join(projectRoot, 'scripts/build-for-tests.mjs')], { stdio: 'inherit' });
};
