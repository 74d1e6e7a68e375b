import { expect, test } from '@playwright/test';
import { createClient } from '@simcube/client';
import { endpoints } from '@simcube/contract';
import { open, signIn } from './console.ts';
import { productUrl } from './product.ts';

test('an API key is created, signs permitted calls, which are logged, and ends when removed', async ({
  page,
}) => {
  await signIn(page);
  await open(page, 'developerView');
  await page.getByRole('button', { name: 'New API key' }).click();
  const name = `Billing ${Date.now()}`;
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByText('Only some').click();
  await dialog.getByLabel('Read on SIMs').check();
  await dialog.getByRole('button', { name: 'Create' }).click();
  const privateKey = await page.getByLabel('Private key (PEM)').inputValue();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const [, keyId = ''] = /^simcube-(.+)\.pem$/.exec((await downloading).suggestedFilename()) ?? [];
  await page.getByRole('button', { name: 'I have stored it' }).click();

  const client = createClient({ url: productUrl(), keyId, privateKey });
  // The log keeps only the beginning of a long response: the status follows the rows.
  const { data } = await client.call(endpoints.sim.list, { body: { page_size: 3 } });
  expect(data).toHaveLength(3);
  await expect(client.call(endpoints.developer.listKeys)).rejects.toMatchObject({ http: 403 });

  await page.getByRole('tab', { name: 'API log' }).click();
  const table = page.getByRole('table', { name: 'API log' });
  const refused = page.getByRole('cell', { name: '403', exact: true });
  await expect(table.getByRole('row', { name: name }).filter({ has: refused })).toBeVisible();
  await table.getByRole('row', { name: name }).filter({ hasText: '/cube/sim/list' }).click();
  const call = page.getByRole('complementary', { name: 'API call' });
  await expect(call.getByText('"page_size":')).toBeVisible();
  await expect(call.getByText('"CB-00-0000"').first()).toBeVisible();

  await page.getByRole('tab', { name: /API keys/ }).click();
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('row', { name: name })).toBeHidden();
  await expect(client.call(endpoints.sim.list, { body: {} })).rejects.toMatchObject({ http: 401 });
});
