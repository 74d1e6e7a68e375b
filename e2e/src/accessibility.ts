import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** What axe finds on the page: rule and the elements that break it; nothing is left out. */
export const accessibilityProblems = async (page: Page): Promise<string[]> => {
  await page.evaluate(await readFile(axeFile, 'utf8'));
  const results = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run: () => Promise<AxeResults> } }).axe.run(),
  );
  return results.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(' | ')}`,
  );
};

/** How many pixels the page is wider than the window: anything above zero scrolls sideways. */
export const overflowWidth = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
