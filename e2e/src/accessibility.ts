import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Locator, Page } from '@playwright/test';
import type axe from 'axe-core';

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

type Axe = typeof axe;

/** The rules of axe that depend on colours: the only ones that can differ between themes, and the most expensive ones. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** Which rules to check. */
export type RuleSet = 'all' | 'colours';

interface CheckOptions {
  rules?: RuleSet;
  /** The part of the page to check, if the rest was checked before; by default the whole page. */
  part?: Locator;
}

/** Violations that axe finds on the page: rules with the elements that break them. */
export const accessibilityProblems = async (
  page: Page,
  { rules = 'all', part = page.locator('html') }: CheckOptions = {},
): Promise<string[]> => {
  // Loaded once per document: axe is half a megabyte, and slow until the browser has compiled it.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await readFile(axeFile, 'utf8'));
  const results = await part.evaluate(
    (element, only) =>
      (globalThis as unknown as { axe: Axe }).axe.run(element, {
        ...(only.length > 0 ? { runOnly: only } : {}),
        // Violations only: otherwise axe would also describe elements that pass. Only media rules would need preloading.
        resultTypes: ['violations'],
        preload: { assets: ['media'] },
      }),
    rules === 'colours' ? colourRules : [],
  );
  return results.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(' | ')}`,
  );
};

/** Pixels by which the page is wider than its window or the space next to the menu: above zero, it scrolls sideways. */
export const overflowWidth = (page: Page): Promise<number> =>
  page.evaluate(() =>
    Math.max(
      ...[document.documentElement, ...document.querySelectorAll('main')].map(
        ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
      ),
    ),
  );

/** Names of the lists that are wider than their container, with the excess in pixels. */
export const overflowingLists = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('table[data-density]')].flatMap((table) => {
      // Widths may be fractional; scrollWidth rounds them up and clientWidth down.
      const available = table.parentElement?.getBoundingClientRect().width ?? 0;
      const excess = table.getBoundingClientRect().width - available;
      return excess > 0.5 ? [`${table.ariaLabel}: ${excess}`] : [];
    }),
  );
