import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';
import { findBrowser } from './src/browser.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const { executablePath, env } = await findBrowser();

const network = 'network.e2e.ts';
const timed = 'live.e2e.ts';

export default defineConfig({
  testDir: join(here, 'src'),
  testMatch: '**/*.e2e.ts',
  outputDir: join(here, '../test-results'),
  globalSetup: join(here, 'src/product.ts'),
  // One product for all tests. One test more than there are cores, because tests wait for the product. Tests that measure two
  // seconds do not run in parallel with others; the one that kills the server runs alone.
  workers: availableParallelism() + 1,
  projects: [
    { name: 'stories', testIgnore: [network, timed] },
    { name: 'network', testMatch: network, dependencies: ['stories'] },
    { name: 'timed', testMatch: timed, workers: 1, dependencies: ['network'] },
  ],
  // A busy machine may delay a test. `npm test` lists those that passed on a retry.
  retries: 1,
  timeout: 180_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json']],
  use: {
    actionTimeout: 15_000,
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    // On a busy machine, animations last long: clicks miss menus that still move, and elements that fade in lack contrast.
    contextOptions: { reducedMotion: 'reduce' },
    // Recording takes a tenth of the processor time; use `--trace retain-on-failure` to see how a test failed.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath,
      env: { ...withoutUndefined(process.env), ...env },
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});

function withoutUndefined(source: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(source).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
