import { expect, type Page, type Response, type Route, test } from '@playwright/test';
import { signIn } from './console.ts';
import { messages, openSims } from './sims.ts';

const orders = '**/cube/sim/list/export/task';

test('an order whose response was lost is not executed twice, even from a dialog that was opened after a reload', async ({
  page,
}) => {
  await signIn(page);
  await openSims(page, { lifecycle: ['terminated'] });
  let lost = '';
  await page.route(
    orders,
    async (route: Route) => {
      lost = referenceIn(await (await route.fetch()).json());
      await route.abort();
    },
    { times: 1 },
  );
  const dialog = await orderExport(page);
  await expect(dialog.getByRole('alert')).toContainText('It is not known whether this was done.');
  expect(lost).toMatch(/^T\d+$/);

  await page.reload();
  await orderExport(page);
  await expect(dialog).toBeHidden();
  await expect(messages(page)).toContainText('It was not done again.');
  await expect(messages(page)).toContainText(lost);

  // It has got its response: the same again is another order.
  const response = page.waitForResponse(orders);
  await orderExport(page);
  expect(referenceIn(await (await response).json())).not.toBe(lost);
});

const orderExport = async (page: Page) => {
  await page.getByRole('main').getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Export SIMs' });
  await dialog.getByRole('button', { name: 'Export', exact: true }).click();
  return dialog;
};

const referenceIn = (envelope: Awaited<ReturnType<Response['json']>>): string => envelope.data.reference_id;
