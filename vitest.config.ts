import { defineConfig } from 'vitest/config';

/** One project per kind of test, so that each kind can be run and counted alone (CONTRIBUTING.md, Tests). */
const project = (name: string, include: string[], options: Record<string, unknown> = {}) => ({
  test: { name, include, exclude: ['**/node_modules/**', '**/dist/**'], ...options },
});

export default defineConfig({
  test: {
    projects: [
      project('unit', ['{apps,packages,bench}/**/*.test.ts'], {
        exclude: ['**/node_modules/**', '**/dist/**', '**/*.{db,http,net}.test.ts', 'apps/web/**'],
      }),
      project('web', ['apps/web/**/*.test.{ts,tsx}'], {
        environment: 'jsdom',
        setupFiles: ['apps/web/src/testing/setup.ts'],
      }),
      project('database', ['apps/**/*.db.test.ts'], {
        globalSetup: ['apps/server/src/testing/database-server.ts'],
        testTimeout: 60_000,
        hookTimeout: 120_000,
      }),
      project('http', ['apps/**/*.http.test.ts'], {
        globalSetup: ['apps/server/src/testing/database-server.ts'],
        testTimeout: 60_000,
        hookTimeout: 120_000,
      }),
      project('network', ['{apps,packages}/**/*.net.test.ts'], {
        globalSetup: ['apps/server/src/testing/database-server.ts'],
        testTimeout: 240_000,
        hookTimeout: 120_000,
        fileParallelism: false,
      }),
    ],
  },
});
