import { expect, type Page, test } from '@playwright/test';
import { open, signIn, waitUntilLoaded } from './console.ts';
import { confirmDialog, forBackgroundWork, listedSims, openSims, selectionBar, selectSims } from './sims.ts';

const choose = async (page: Page, field: string, option: string): Promise<void> => {
  await page.getByRole('combobox', { name: field, exact: true }).click();
  // The list behind the open field may contain the same text.
  await page.locator('.ant-select-dropdown').getByTitle(option, { exact: true }).click();
};

test('a rule is created, replayed, fires when a SIM is resumed, and is removed', async ({ page }) => {
  await signIn(page);
  await openSims(page, { lifecycle: ['paused'] });
  const iccid = (await listedSims(page)).at(-1) ?? '';
  const name = `Back in use ${Date.now()}`;

  await open(page, 'autoflow');
  await page.getByRole('button', { name: 'New rule' }).click();
  await expect(page.getByRole('heading', { name: 'New rule' })).toBeVisible();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await choose(page, 'Event trigger', 'SIM status change');
  await choose(page, 'Scope', 'Manual ICCIDs');
  await page.getByRole('textbox', { name: 'ICCIDs', exact: true }).fill(iccid);
  await expect(page.getByText('1 SIM today;')).toBeVisible();
  await page.getByRole('button', { name: '+ Action' }).click();
  await page.getByRole('menuitem', { name: 'Add tag' }).click();
  await page.getByRole('textbox', { name: 'Tag', exact: true }).fill('back');
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
  await expect(page.getByRole('term').filter({ hasText: 'Would have fired' })).toBeVisible(forBackgroundWork);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name })).toBeVisible();
  const history = `${page.url()}&tab=runs`;

  await openSims(page, { lifecycle: ['paused'] });
  await selectSims(page, [iccid]);
  await selectionBar(page).getByRole('button', { name: 'Resume' }).click();
  await confirmDialog(page, 'Resume 1 SIM');
  await page.goto(history);
  const fired = page.getByRole('row').filter({ hasText: iccid.slice(-7) });
  await expect(fired.getByText('Done')).toBeVisible(forBackgroundWork);

  await open(page, `simCard/${iccid}`);
  await waitUntilLoaded(page);
  await expect(page.getByText('back', { exact: true }).first()).toBeVisible();

  await page.goto(history);
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText(`${name} was removed`)).toBeVisible();
});
