import { test } from '@playwright/test';
import { signIn } from './console.ts';
import { takePictures } from './pictures.ts';
import { onlineIccid } from './sims.ts';

test('pictures of the README', async ({ page }) => {
  test.setTimeout(600_000);
  await signIn(page);
  const iccid = await onlineIccid(page);
  await takePictures(page, {
    folder: new URL('../../docs/images/', import.meta.url),
    width: 1440,
    height: 900,
    pictures: [
      { name: 'dashboard', path: 'analysis' },
      { name: 'sim-list', path: 'simCard' },
      { name: 'sim-detail', path: `simCard/${iccid}` },
      { name: 'shared-pool', path: 'shared/1' },
      { name: 'cdr-charts', path: 'chartView' },
      { name: 'autoflow', path: 'autoflow' },
      { name: 'finance', path: 'finance' },
    ],
  });
});
