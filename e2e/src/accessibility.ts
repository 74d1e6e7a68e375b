import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Locator, Page } from '@playwright/test';
import type axe from 'axe-core';

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

type Axe = typeof axe;

/** The rules of axe that depend on colours: all that can differ between the themes, and most of what axe costs. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** Which rules. */
export type Judged = 'all' | 'colours';

interface Judging {
  judged?: Judged;
  /** The part of the page that is new, where the rest was judged before; else all of it. */
  part?: Locator;
}

/** What axe finds on the page: rule and the elements that break it; nothing is left out. */
export const accessibilityProblems = async (
  page: Page,
  { judged = 'all', part = page.locator('html') }: Judging = {},
): Promise<string[]> => {
  // Once for a document: axe is half a megabyte, and is slow until the browser has compiled what it needs of it.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await readFile(axeFile, 'utf8'));
  const results = await part.evaluate(
    (element, only) =>
      (globalThis as unknown as { axe: Axe }).axe.run(element, {
        ...(only.length > 0 ? { runOnly: only } : {}),
        // Where rules hold, axe would describe each element; and of what it would fetch, only media are read by a rule.
        resultTypes: ['violations'],
        preload: { assets: ['media'] },
      }),
    judged === 'colours' ? colourRules : [],
  );
  return results.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(' | ')}`,
  );
};

/** How many pixels the page is wider than its window or its place beside the menu: anything above zero scrolls sideways. */
export const overflowWidth = (page: Page): Promise<number> =>
  page.evaluate(() =>
    Math.max(
      ...[document.documentElement, ...document.querySelectorAll('main')].map(
        ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
      ),
    ),
  );

/** The lists that are wider than their place, by name, with the pixels that are too many. */
export const cutLists = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('table[data-density]')].flatMap((table) => {
      // Widths have parts of a pixel, which scrollWidth rounds up and clientWidth down.
      const room = table.parentElement?.getBoundingClientRect().width ?? 0;
      const tooMuch = table.getBoundingClientRect().width - room;
      return tooMuch > 0.5 ? [`${table.ariaLabel}: ${tooMuch}`] : [];
    }),
  );
