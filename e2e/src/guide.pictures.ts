import { test } from '@playwright/test';
import { signIn } from './console.ts';
import { takePictures } from './pictures.ts';
import { onlineIccid } from './sims.ts';

test('pictures of the user guide', async ({ page }) => {
  test.setTimeout(600_000);
  await signIn(page);
  const iccid = await onlineIccid(page);
  await takePictures(page, {
    folder: new URL('../../docs/guide/images/', import.meta.url),
    width: 1120,
    height: 640,
    pictures: [
      { name: 'dashboard', path: 'analysis', height: 560 },
      { name: 'heatmap', path: 'heatmap' },
      { name: 'sims', path: 'simCard', height: 480 },
      { name: 'sim', path: `simCard/${iccid}`, height: 620 },
      { name: 'service', path: 'service', height: 420 },
      { name: 'pool', path: 'shared/1', height: 560 },
      { name: 'cdrs', path: 'cdrCard', height: 480 },
      { name: 'sms', path: 'message?compose=open', height: 620 },
      { name: 'autoflow', path: 'autoflow', height: 460 },
      { name: 'reports', path: 'reports', height: 560 },
      { name: 'finance', path: 'finance', height: 560 },
      { name: 'developer', path: 'developerView?tab=deliveries', height: 480 },
      { name: 'tasks', path: 'taskcenter', height: 400 },
      { name: 'accounts', path: 'setCard?tab=accounts', height: 420 },
    ],
  });
});
