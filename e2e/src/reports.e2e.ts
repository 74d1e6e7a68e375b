import { readFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { demo, open, signIn, visit, waitUntilLoaded } from './console.ts';

test('the reports of a month are listed, opened and downloaded, and a kind is switched on or off', async ({
  page,
}) => {
  await signIn(page);
  await open(page, 'analysis');
  await page.getByRole('link', { name: 'Reports', exact: true }).click();
  const months = page.getByRole('region', { name: 'Months' });
  await expect(months.getByRole('link').first()).toContainText('SIMs');
  await waitUntilLoaded(page);

  const table = page.getByRole('region', { name: 'SIM usage' }).getByRole('table');
  await expect(table.locator('tbody tr').first()).toContainText(/\d{18,20}/);
  const [first] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /CSV/ }).click(),
  ]);
  expect(first.suggestedFilename()).toMatch(/^ACME-sim-usage-\d{4}-\d{2}\.csv$/);
  const iccid = /\d{18,20}/.exec(await table.innerText())?.[0] ?? 'none';
  expect(await readFile(await first.path(), 'utf8')).toContain(iccid);

  await page.getByRole('tab', { name: 'Status changes' }).click();
  await expect(page).toHaveURL(/kind=status-changes/);
  await months.getByRole('link').nth(1).click();
  await expect(months.getByRole('link').nth(1)).toHaveAttribute('aria-current', 'true');
  const [archive] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /as ZIP/ }).click(),
  ]);
  expect(archive.suggestedFilename()).toBe('ACME-reports.zip');
  expect((await readFile(await archive.path())).subarray(0, 2).toString()).toBe('PK');

  const preferences = page.getByRole('region', { name: 'Preferences' });
  const kind = preferences.getByRole('checkbox', { name: /^SMS/ });
  const wasChosen = await kind.isChecked();
  await kind.setChecked(!wasChosen);
  await preferences.getByRole('button', { name: 'Save' }).click();
  await expect(preferences.getByRole('button', { name: 'Save' })).toBeDisabled();
  await page.reload();
  await expect(kind).toBeChecked({ checked: !wasChosen });
});

test('a person without permission for reports has no menu entry and is redirected to the SIMs', async ({
  page,
}) => {
  await signIn(page, { email: demo.user });
  await expect(page.getByRole('link', { name: /^SIMs/ }).first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Reports', exact: true })).toHaveCount(0);
  await visit(page, 'reports');
  await expect(page).toHaveURL(/\/en-US\/simCard/);
});
