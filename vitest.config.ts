import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { guidePages } from './apps/web/build/guide-pages.ts';

/**
 * One project per kind of test, so that each kind can be run and counted alone (CONTRIBUTING.md, Tests). Time limits are
 * wide: they end a test that hangs, and must not fail one on a machine that others keep busy.
 */
const project = (name: string, include: string[], options: Record<string, unknown> = {}) => ({
  // Generates the guide's pages, which the console imports.
  plugins: [guidePages()],
  test: {
    name,
    include,
    exclude: ['**/node_modules/**', '**/dist/**'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 15_000 } },
    // Loading the server takes as long as most files' tests: a worker loads it once. What a file changes in its process
    // (a setting, a spy), it puts back.
    isolate: false,
    ...options,
  },
});

const builtPrograms = 'apps/server/src/testing/built-programs.ts';
/** On a busy machine, what a test with a database waits for may be late. `npm test` lists the tests that passed when retried. */
const retry = 1;
const globalSetup = [builtPrograms, 'apps/server/src/testing/database-server.ts'];

export default defineConfig({
  test: {
    // Tests often wait for the database, for peers and for processes, so more workers than cores use the cores fully.
    maxWorkers: availableParallelism() + 1,
    // What one kind of test has compiled, the others and the next run need not.
    experimental: { fsModuleCache: true },
    projects: [
      project('unit', ['{apps,packages,bench}/**/*.test.ts', 'scripts/*.test.mjs'], {
        exclude: ['**/node_modules/**', '**/dist/**', '**/*.{db,http,net,dom}.test.{ts,mjs}'],
        globalSetup: builtPrograms,
      }),
      project('web', ['apps/web/**/*.{dom.test.ts,test.tsx}'], {
        environment: 'jsdom',
        setupFiles: ['apps/web/src/testing/setup.ts'],
      }),
      project('database', ['apps/**/*.db.test.ts', 'scripts/*.db.test.mjs'], {
        globalSetup,
        retry,
      }),
      project('http', ['apps/**/*.http.test.ts'], {
        globalSetup,
        retry,
      }),
      project('network', ['{apps,packages}/**/*.net.test.ts'], {
        globalSetup,
        retry,
        testTimeout: 240_000,
        // Peers measure time, so these tests run after the other kinds, only two at a time. Killed servers are started again
        // on ports that no other file gets (testing/free-ports.ts).
        maxWorkers: 2,
        sequence: { groupOrder: 1 },
      }),
    ],
  },
});
