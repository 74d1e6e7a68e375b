import { fileURLToPath } from 'node:url';
import { type Page, test } from '@playwright/test';
import { settled, signIn, visit } from './console.ts';
import { someIccid } from './sims.ts';

const folder = fileURLToPath(new URL('../../docs/guide/images/', import.meta.url));

/** The place of each picture in the console; what is beyond its height is cut off. */
const pictures: readonly { name: string; path: (iccid: string) => string; height?: number }[] = [
  { name: 'dashboard', path: () => 'analysis', height: 560 },
  { name: 'heatmap', path: () => 'heatmap' },
  { name: 'sims', path: () => 'simCard', height: 480 },
  { name: 'sim', path: (iccid) => `simCard/${iccid}`, height: 620 },
  { name: 'service', path: () => 'service', height: 420 },
  { name: 'pool', path: () => 'shared/1', height: 560 },
  { name: 'cdrs', path: () => 'cdrCard', height: 480 },
  { name: 'sms', path: () => 'message?compose=open', height: 620 },
  { name: 'autoflow', path: () => 'autoflow', height: 460 },
  { name: 'finance', path: () => 'finance', height: 560 },
  { name: 'developer', path: () => 'developerView?tab=deliveries', height: 480 },
  { name: 'tasks', path: () => 'taskcenter', height: 400 },
  { name: 'accounts', path: () => 'setCard?tab=accounts', height: 420 },
];

const width = 1120;

test('pictures of the user guide', async ({ page }) => {
  test.setTimeout(600_000);
  await signIn(page);
  const iccid = await someIccid(page);
  for (const { name, path, height = 640 } of pictures) {
    await page.setViewportSize({ width, height });
    await visit(page, path(iccid));
    await drawn(page);
    await page.screenshot({ path: `${folder}${name}.png`, animations: 'disabled' });
  }
});

/** Until charts and maps, which nothing announces, have stopped changing. */
const drawn = async (page: Page): Promise<void> => {
  await settled(page);
  let before: Buffer = Buffer.alloc(0);
  for (let left = 20; left > 0; left -= 1) {
    const now = await page.screenshot({ animations: 'disabled' });
    if (now.equals(before)) return;
    before = now;
  }
};
