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
  // One product for all, and one story more than cores, as stories wait for it. What measures two seconds has no stories beside
  // it; what kills the server has it to itself.
  workers: availableParallelism() + 1,
  projects: [
    { name: 'stories', testIgnore: [network, timed] },
    { name: 'network', testMatch: network, dependencies: ['stories'] },
    { name: 'timed', testMatch: timed, workers: 1, dependencies: ['network'] },
  ],
  // A busy machine may hold one of them up. `npm test` lists those that passed so.
  retries: 1,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json']],
  use: {
    actionTimeout: 15_000,
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    // A click goes astray where a menu still moves, and what fades in has no contrast yet: on a busy machine for long.
    contextOptions: { reducedMotion: 'reduce' },
    // Recording takes a tenth of the processor's time: `--trace retain-on-failure` shows how a test failed.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath,
      env: { ...definedOf(process.env), ...env },
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

function definedOf(source: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(source).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
