import { expect, test } from '@playwright/test';
import { accessibilityProblems } from './accessibility.ts';
import { open, signIn, waitUntilLoaded } from './console.ts';

const pool = 'Trucks Europe';
const stories = [
  {
    language: 'en-US',
    menu: 'Shared Pools',
    chart: 'Burn-down',
    sims: 'SIMs',
    leave: 'Take out…',
    out: 'Take 1 SIM out',
    activity: 'Activity',
    left: 'Left the pool',
    enrol: 'Enrol SIMs…',
    list: 'ICCIDs, IMSIs or MSISDNs, up to 10,000',
    find: 'Find these SIMs',
    into: 'Enrol 1 SIM',
    activated: 'Began to contribute',
    row: 0,
  },
  {
    language: 'es-ES',
    menu: 'Bolsas compartidas',
    chart: 'Agotamiento',
    sims: 'SIM',
    leave: 'Sacar…',
    out: 'Sacar 1 SIM',
    activity: 'Actividad',
    left: 'Salió de la bolsa',
    enrol: 'Incluir SIM…',
    list: 'ICCID, IMSI o MSISDN, hasta 10.000',
    find: 'Buscar estas SIM',
    into: 'Incluir 1 SIM',
    activated: 'Empezó a aportar',
    row: 1,
  },
] as const;

for (const { language, row, ...words } of stories) {
  test(`a SIM leaves a shared pool and is enrolled again: ${language}`, async ({ page }) => {
    await signIn(page, { language });
    await open(page, 'analysis', language);
    await page.getByRole('link', { name: new RegExp(words.menu) }).click();
    await page.getByRole('link', { name: pool }).click();
    await expect(page.getByRole('figure', { name: words.chart })).toBeVisible();
    await waitUntilLoaded(page);
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.getByRole('tab', { name: new RegExp(`^${words.sims} ?\\d`) }).click();
    const member = page.getByRole('main').getByRole('table').last().locator('tbody tr').nth(row);
    await expect(member).toContainText(/\d{18,20}/);
    const iccid = /\d{18,20}/.exec(await member.innerText())?.[0] ?? '';
    await member.getByRole('checkbox').check();
    await page.getByRole('toolbar').getByRole('button', { name: words.leave }).click();
    await page.getByRole('dialog').getByRole('button', { name: words.out }).click();
    await expect(page.getByRole('dialog')).toBeHidden();

    // The result is shown without a reload.
    const latest = page.getByRole('main').getByRole('table').last().locator('tbody tr').first();
    // By keyboard, because the notification about the task may cover the tab.
    await page.getByRole('tab', { name: words.activity }).press('Enter');
    await expect(latest).toContainText(iccid);
    await expect(latest).toContainText(words.left);

    await page.getByRole('button', { name: words.enrol }).click();
    await page.getByLabel(words.list).fill(iccid);
    await page.getByRole('button', { name: words.find }).click();
    await page.getByRole('dialog').getByRole('button', { name: words.into }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(latest).toContainText(words.activated);
    await expect(latest).toContainText(iccid);
  });
}
