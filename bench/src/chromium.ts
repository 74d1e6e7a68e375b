import { type Browser, chromium } from '@playwright/test';
import { findBrowser } from '../../e2e/src/browser.ts';

/** The browser of the tests, without its background activity. */
export const launchChromium = async (): Promise<Browser> => {
  const { executablePath, env } = await findBrowser();
  return chromium.launch({
    executablePath,
    env: { ...(process.env as Record<string, string>), ...env },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
};
