import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { limits } from '@simcube/contract';

/** Times of a person's actions in the SIM list, milliseconds. */
export interface ListWork {
  /** From each click on a row's checkbox to the next paint. */
  checks: number[];
  /** From each key in the search field to the next paint. */
  keys: number[];
  /** From the end of the debounce to the found row on screen. */
  results: number;
}

const checkedRows = 6;
const keyIntervalMs = 60;
/** Time after which the browser has reported an interaction, which it does when it has been painted. */
const reportDelayMs = 400;
/** Event Timing has no entries for faster interactions. */
const minReportedMs = 16;

/** The longest event of each interaction, newest interactions first. */
const interactions = (page: Page, { names, since }: { names: readonly string[]; since: number }) =>
  page.evaluate(
    ([eventNames, from]) =>
      window.bench.interactions
        .filter(({ name, at }) => at >= Number(from) && (eventNames as readonly string[]).includes(name))
        .map(({ duration }) => duration),
    [names, since] as const,
  );

const now = (page: Page): Promise<number> => page.evaluate(() => performance.now());

/** Selects rows one after the other with real clicks. */
export const checkRows = async (page: Page): Promise<number[]> => {
  const since = await now(page);
  const boxes = page.locator('tbody input[type="checkbox"]');
  for (let row = 1; row <= checkedRows; row += 1) {
    const box = await boxes.nth(row).boundingBox();
    if (!box) throw new Error('No row to check');
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await sleep(reportDelayMs);
  }
  return padToCount(await interactions(page, { names: ['click'], since }), checkedRows);
};

const padToCount = (reported: readonly number[], count: number): number[] => [
  ...reported,
  ...Array.from({ length: Math.max(0, count - reported.length) }, () => minReportedMs),
];

/** Types the number of a SIM into the search field, and waits until it is the only row. */
export const searchSims = async (page: Page): Promise<Omit<ListWork, 'checks'> & { iccid: string }> => {
  await page.keyboard.press('Escape');
  // Its page has a chart, unlike those of SIMs without usage.
  const online = page.locator('tbody tr').filter({ hasText: 'online' });
  const iccid = ((await online.first().innerText()).match(/\d{19,20}/) ?? [''])[0];
  const since = await now(page);
  await page.locator('main input:not([type="checkbox"])').first().click();
  const typed = iccid.slice(-10);
  const lastResult = page.evaluate(
    ([number, debounceMs]) =>
      new Promise<number>((resolve) => {
        let key = 0;
        addEventListener('input', ({ timeStamp }) => {
          key = timeStamp;
        });
        new MutationObserver(() => {
          const rows = document.querySelectorAll('tbody tr');
          if (rows.length !== 1 || !rows[0]?.textContent.includes(String(number))) return;
          requestAnimationFrame(() =>
            setTimeout(() => resolve(performance.now() - key - Number(debounceMs))),
          );
        }).observe(document.body, { subtree: true, childList: true, characterData: true });
      }),
    [iccid, limits.searchDebounceMs] as const,
  );
  await page.keyboard.type(typed, { delay: keyIntervalMs });
  const results = await lastResult;
  await sleep(reportDelayMs);
  const keys = padToCount(await interactions(page, { names: ['keydown'], since }), typed.length);
  return { iccid, keys, results };
};
