import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { visit, waitUntilLoaded } from './console.ts';
import { messages } from './sims.ts';

/** A screenshot of a place in the console, cropped to its height. */
export interface Picture {
  name: string;
  path: string;
  height?: number;
}

/** @param folder where the files are written, as `name.png` */
export const takePictures = async (
  page: Page,
  {
    folder,
    width,
    height,
    pictures,
  }: { folder: URL; width: number; height: number; pictures: readonly Picture[] },
): Promise<void> => {
  for (const { name, path, height: pictureHeight = height } of pictures) {
    await page.setViewportSize({ width, height: pictureHeight });
    await visit(page, path);
    await waitUntilDrawn(page);
    await page.screenshot({ path: fileURLToPath(new URL(`${name}.png`, folder)), animations: 'disabled' });
  }
};

/** Waits until no card is loading, no message covers the page, and charts and maps have stopped changing. */
const waitUntilDrawn = async (page: Page): Promise<void> => {
  await waitUntilLoaded(page);
  await expect(messages(page).getByRole('button')).toHaveCount(0, { timeout: 60_000 });
  let before: Buffer = Buffer.alloc(0);
  for (let left = 20; left > 0; left -= 1) {
    const now = await page.screenshot({ animations: 'disabled' });
    if (now.equals(before)) return;
    before = now;
  }
};
