import { expect, test } from '@playwright/test';
import { accessibilityProblems } from './accessibility.ts';
import { demo, open, signIn, waitUntilLoaded } from './console.ts';
import { openSims } from './sims.ts';

test('a filter is saved as a view, shared, found by another person in the palette, and removed', async ({
  page,
  browser,
}) => {
  const name = `Nearly used up ${Date.now() % 100_000}`;
  await signIn(page);
  await openSims(page, { lifecycle: ['active'], usage: ['80'] });
  await page.getByRole('button', { name: 'Save view' }).click();
  await page.getByLabel('Name of the view').fill(name);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name, selected: true })).toBeVisible();

  const choose = async (item: string): Promise<void> => {
    await page.getByRole('button', { name: `Actions for the view ${name}` }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await choose('Share with the organisation…');
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const shared = page.getByRole('tab', { name: `${name} shared by you` });
  await expect(shared).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);

  const colleague = await browser.newPage({ viewport: { width: 390, height: 844 } });
  await signIn(colleague, { email: demo.user });
  await colleague.keyboard.press('Control+k');
  await colleague.getByRole('combobox').fill(name);
  await colleague.getByRole('option', { name }).click();
  await expect(colleague).toHaveURL(/lifecycle=active&usage=80.*view=\d+/);
  await waitUntilLoaded(colleague);
  await expect(
    colleague.getByRole('tab', { name: new RegExp(`^${name} shared by `), selected: true }),
  ).toBeVisible();
  await colleague.getByRole('button', { name: `Actions for the view ${name}` }).click();
  await expect(colleague.getByRole('menuitem', { name: 'Save a copy…' })).toBeVisible();
  await expect(colleague.getByRole('menuitem', { name: /Rename|Remove|sharing/ })).toHaveCount(0);
  await colleague.keyboard.press('Escape');
  expect(await accessibilityProblems(colleague)).toEqual([]);
  await colleague.close();

  await choose('Remove…');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(shared).toBeHidden();
  await expect(page.getByRole('tab', { name: 'All SIMs' })).toBeFocused();
  await expect(page).not.toHaveURL(/view=/);
});

test('by keyboard only: an operation is chosen in the palette, its SIM is found, and shortcuts are shown', async ({
  page,
}) => {
  await signIn(page, { email: demo.operator });
  await open(page, 'analysis');
  await waitUntilLoaded(page);
  await page.keyboard.press('?');
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(shortcuts).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(shortcuts).toBeHidden();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox')).toBeFocused();
  await page.keyboard.type('suspend');
  await expect(page.getByRole('option', { selected: true })).toHaveText('Suspend SIMs: choose a SIM…');
  await page.keyboard.press('Enter');
  await page.keyboard.type('truck');
  await expect(page.getByRole('group', { name: 'SIMs' }).getByRole('option').first()).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: /^Suspend / })).toContainText('1 SIM');
  await page.keyboard.press('Escape');
  await expect(page).not.toHaveURL(/operation=/);
});
