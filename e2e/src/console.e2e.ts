import { expect, test } from '@playwright/test';
import { open, signIn, waitUntilLoaded } from './console.ts';
import { listedSims, messages, openSims, selectionBar, selectSims, someIccid } from './sims.ts';

test.describe.configure({ mode: 'parallel' });

test('the dashboard shows figures and charts, and a lifecycle leads to the list', async ({ page }) => {
  await signIn(page);
  await expect(page.getByRole('heading', { name: 'Analysis' })).toBeVisible();
  for (const title of ['Active SIMs', 'Overage SIMs', 'Data usage', 'Lifecycle', 'Usage rank']) {
    await expect(page.getByText(title, { exact: true }).first()).toBeVisible();
  }
  await page.getByText('6 months', { exact: true }).first().click();
  await page
    .getByRole('link', { name: /Active/ })
    .first()
    .click();
  await expect(page).toHaveURL(/simCard\?.*lifecycle=/);
});

test('an uncached dashboard loads within 25 requests and 400 kB', async ({ page, browser }) => {
  await signIn(page);
  // The welcome at the first sign-in would make more requests.
  await page.evaluate(() => localStorage.setItem('loginsCount', '2'));
  const context = await browser.newContext({ storageState: await page.context().storageState() });
  const cold = await context.newPage();
  // A set of addresses, because other tests make the page repeat some requests. Not every browser without a window fetches the icon.
  const requests = new Set<string>();
  cold.on('request', (request) => {
    if (!request.url().endsWith('/favicon.svg')) requests.add(`${request.method()} ${request.url()}`);
  });
  await open(cold, 'analysis');
  await waitUntilLoaded(cold);
  await expect(cold.locator('figure div > svg')).toHaveCount(4);
  await expect(cold.getByText('Live', { exact: true })).toBeVisible();
  const bytes = await cold.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].reduce(
      (sum, entry) => sum + (entry as PerformanceResourceTiming).transferSize,
      0,
    ),
  );
  expect(requests.size).toBeLessThanOrEqual(25);
  expect(bytes).toBeLessThanOrEqual(400_000);
  await context.close();
});

test('on a phone, messages cover neither the page title nor the selection bar', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn(page);
  await openSims(page);
  const [iccid = ''] = await listedSims(page);
  await selectSims(page, [iccid]);
  await selectionBar(page)
    .getByRole('button', { name: /More|Actions/ })
    .click();
  await page.getByRole('menuitem', { name: 'Copy ICCIDs' }).click();
  const message = messages(page).getByText(/copied/);
  await expect(message).toBeVisible();
  const boxes = await Promise.all(
    [message, page.getByRole('heading', { level: 1 }), selectionBar(page)].map((one) => one.boundingBox()),
  );
  const [shown, title, floating] = boxes.map((box) => ({
    top: box?.y ?? 0,
    bottom: (box?.y ?? 0) + (box?.height ?? 0),
  }));
  expect(shown?.top).toBeGreaterThan(title?.bottom ?? 0);
  expect(shown?.bottom).toBeLessThan(floating?.top ?? 0);
});

test('the SIM list is searched, keeps its address, and leads to the detail and back', async ({ page }) => {
  await signIn(page);
  const iccid = await someIccid(page);
  await open(page, 'simCard');
  await expect(page.getByRole('link', { name: /^\d{18,20}$/ }).first()).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type(iccid.slice(-8));
  await expect(page).toHaveURL(new RegExp(`search=.*${iccid.slice(-8)}`));
  await expect(page.getByRole('link', { name: new RegExp(iccid) })).toHaveCount(1);
  await page.reload();
  await expect(page.getByRole('link', { name: new RegExp(iccid) })).toHaveCount(1);
  await page.getByRole('link', { name: new RegExp(iccid) }).click();
  await expect(page.getByRole('heading', { name: new RegExp(iccid) })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/simCard\?.*search=/);
  await expect(page.getByRole('link', { name: new RegExp(iccid) })).toHaveCount(1);
  await page.goForward();
  for (const tab of ['Usage', 'Events', 'Session', 'Overview']) {
    await page.getByRole('tab', { name: tab }).click();
    await expect(page.getByRole('tab', { name: tab })).toHaveAttribute('aria-selected', 'true');
  }
});

test('Ctrl-K finds a SIM by its last digits', async ({ page }) => {
  await signIn(page);
  const iccid = await someIccid(page);
  await page.keyboard.press('Control+k');
  await page.keyboard.type(iccid.slice(-7));
  await expect(page.getByRole('option', { name: new RegExp(iccid.slice(-7)) }).first()).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`simCard/${iccid}`));
});

test('a SIM of another organisation is not found', async ({ page }) => {
  await signIn(page);
  await open(page, 'simCard/89860000000000000000');
  await expect(page.getByText('SIM not found').first()).toBeVisible();
});

test('language, time zone and theme change the screen and are stored', async ({ page }) => {
  await signIn(page);
  await page.getByText('Local', { exact: true }).click();
  expect(await page.evaluate(() => localStorage.getItem('TimeZone'))).toBe('LOCAL');
  await page.getByRole('button', { name: /Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('dark');
  await page.getByRole('button', { name: 'Language' }).click();
  await page.getByRole('menuitem', { name: '简体中文' }).click();
  await expect(page).toHaveURL(/\/zh-CN\//);
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
  expect(await page.evaluate(() => localStorage.getItem('lang'))).toBe('zh-CN');
});

test('a page opened while offline is shown after the connection returns', async ({ page, context }) => {
  await signIn(page);
  await openSims(page);
  const title = page.getByRole('heading', { level: 1 });
  const menu = page.getByRole('navigation');
  await context.setOffline(true);
  await menu.getByRole('link', { name: 'Finance' }).click();
  await expect(page).toHaveURL(/finance/);
  await expect(page.getByText('No connection to the server.')).toBeVisible();
  await expect(title).toHaveText('SIMs');
  // Screens that were opened before are shown immediately.
  await menu.getByRole('link', { name: /^SIMs/ }).click();
  await expect(page).toHaveURL(/simCard/);
  await expect(title).toHaveText('SIMs');
  await menu.getByRole('link', { name: 'Reports' }).click();
  await context.setOffline(false);
  await expect(title).toHaveText('Reports', { timeout: 30_000 });
});

test('the organisation’s name is not truncated at 1,024 px and on a phone', async ({ page }) => {
  await signIn(page, { language: 'es-ES' });
  const name = page
    .getByRole('button', { name: /^Organización: / })
    .locator('span')
    .last();
  for (const width of [1024, 390]) {
    await page.setViewportSize({ width, height: 768 });
    await expect
      .poll(() => name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), `${width} px`)
      .toBe(0);
  }
});
