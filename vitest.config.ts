import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/**
 * One project per kind of test, so that each kind can be run and counted alone (CONTRIBUTING.md, Tests). Time limits are
 * wide: they end a test that hangs, and must not fail one on a machine that others keep busy.
 */
const project = (name: string, include: string[], options: Record<string, unknown> = {}) => ({
  test: {
    name,
    include,
    exclude: ['**/node_modules/**', '**/dist/**'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    ...options,
  },
});

export default defineConfig({
  test: {
    // Left to itself, Vitest keeps one core for its own process and so tests one file at a time on two.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      project('unit', ['{apps,packages,bench}/**/*.test.ts', 'scripts/*.test.mjs'], {
        exclude: ['**/node_modules/**', '**/dist/**', '**/*.{db,http,net}.test.{ts,mjs}', 'apps/web/**'],
      }),
      project('web', ['apps/web/**/*.test.{ts,tsx}'], {
        environment: 'jsdom',
        setupFiles: ['apps/web/src/testing/setup.ts'],
      }),
      project('database', ['apps/**/*.db.test.ts', 'scripts/*.db.test.mjs'], {
        globalSetup: ['apps/server/src/testing/database-server.ts'],
      }),
      project('http', ['apps/**/*.http.test.ts'], {
        globalSetup: ['apps/server/src/testing/database-server.ts'],
      }),
      project('network', ['{apps,packages}/**/*.net.test.ts'], {
        globalSetup: ['apps/server/src/testing/database-server.ts'],
        testTimeout: 240_000,
        fileParallelism: false,
      }),
    ],
  },
});
