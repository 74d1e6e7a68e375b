import { defineConfig } from '@playwright/test';
import tests from './playwright.config.ts';

/** Screenshots for the README and the user guide, from the demonstration: `npm run pictures`. */
export default defineConfig({
  ...tests,
  testMatch: '**/*.pictures.ts',
  projects: [{ name: 'pictures' }],
  workers: 1,
  reporter: [['list']],
});
