import { randomInt } from 'node:crypto';
import { expect, type Page, test } from '@playwright/test';
import { accessibilityProblems } from './accessibility.ts';
import { open, signIn, waitUntilLoaded } from './console.ts';
import { killServer } from './product.ts';
import { openGateway } from './radius.ts';

const gib = 2 ** 30;
/** Maximum time from the gateway's packet to the display, without a reload. */
const withinTwoSeconds = { timeout: 2000 };

/** Only visible text: the list behind the detail page is kept, but hidden. */
const visibleText = (page: Page, text: string | RegExp) =>
  page.getByText(text).filter({ visible: true }).first();

/** Reads the IMSI once the page shows it. */
const imsiOn = async (page: Page): Promise<string> => {
  const identity = page.locator('main').filter({ visible: true, hasText: /IMSI\s*\d{15}/ });
  await expect(identity).toBeVisible();
  return /IMSI\s*(\d{15})/.exec((await identity.textContent()) ?? '')?.[1] ?? '';
};

test('accounting updates are on the open SIM page within two seconds, counted once', async ({ page }, {
  retry,
}) => {
  const gateway = await openGateway();
  await signIn(page);
  // A terminated SIM, which the simulator never connects. A retry uses another one, because this one has the reports of the first.
  await open(page, 'simCard?lifecycle=terminated');
  const link = page.getByRole('link', { name: /^\d{18,20}$/ }).nth(retry);
  await link.click();
  await expect(page.getByRole('tab', { name: 'Overview' })).toBeVisible();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  const facts = {
    imsi: await imsiOn(page),
    sessionId: `story-${randomInt(1e9)}`,
    ip: '10.64.12.9',
    apn: 'iot.story',
    imeisv: '3569380356438091',
    network: '26202',
  };
  await page.evaluate(() => {
    (globalThis as { untouched?: boolean }).untouched = true;
  });

  expect(await gateway.account('start', facts)).toBe(true);
  // Online although terminated: the page shows this until the Disconnect is answered.
  await expect(visibleText(page, /online|still connected/)).toBeVisible(withinTwoSeconds);

  expect(await gateway.account('interim', { ...facts, up: 1 * gib, down: 3 * gib })).toBe(true);
  await expect(visibleText(page, /4(\.00?)?\sGB/)).toBeVisible(withinTwoSeconds);
  const laterFacts = { ...facts, up: 2 * gib, down: 7 * gib };
  expect(await gateway.account('interim', laterFacts)).toBe(true);
  await expect(visibleText(page, /9(\.00?)?\sGB/)).toBeVisible(withinTwoSeconds);
  // The gateway missed the reply and retransmits: counted once.
  expect(await gateway.account('interim', laterFacts)).toBe(true);

  await page.getByRole('tab', { name: 'Session' }).click();
  for (const fact of ['10.64.12.9', 'iot.story', /35693803564380/, /Vodafone/]) {
    await expect(visibleText(page, fact)).toBeVisible();
  }
  expect(await gateway.account('stop', laterFacts)).toBe(true);
  await expect(visibleText(page, 'offline')).toBeVisible(withinTwoSeconds);
  await page.getByRole('tab', { name: 'Overview' }).click();
  await expect(visibleText(page, /9(\.00?)?\sGB/)).toBeVisible();
  await expect(page.getByText(/18(\.00?)?\sGB/)).toHaveCount(0);
  expect(await page.evaluate(() => (globalThis as { untouched?: boolean }).untouched)).toBe(true);
  await gateway.close();
});

test('offline, the dashboard says so within two seconds, keeps its figures, and recovers', async ({
  page,
  context,
}) => {
  await signIn(page);
  const [live, notice] = [
    page.getByText('Live', { exact: true }),
    page.getByText('No connection to the server.'),
  ];
  await expect(live).toBeVisible();
  const figure = page.getByRole('link', { name: 'Active SIMs' });
  await expect(figure).toBeVisible();
  await context.setOffline(true);
  await expect(notice).toBeVisible(withinTwoSeconds);
  await expect(page.getByText(/What you see is as of/)).toBeVisible();
  await expect(live).toHaveCount(0);
  await expect(figure).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await context.setOffline(false);
  await expect(live).toBeVisible();
  await expect(notice).toHaveCount(0);
});

test('offline, the list shows no rows of another filter, and recovers', async ({ page, context }) => {
  await signIn(page);
  await open(page, 'simCard?lifecycle=active');
  await waitUntilLoaded(page);
  const rows = page
    .getByRole('main')
    .locator('tbody tr')
    .filter({ has: page.getByRole('link') });
  const counts = page.getByRole('group', { name: 'SIMs by lifecycle' });
  const before = await rows.count();
  expect(before).toBeGreaterThan(0);
  await context.setOffline(true);
  await counts.getByRole('button', { name: /^paused/i }).click();
  await expect(page.getByText('No connection to the server.')).toBeVisible(withinTwoSeconds);
  await expect(rows).toHaveCount(0, withinTwoSeconds);
  await expect(page.getByRole('alert')).toContainText('Network Error');
  await expect(page.getByText('Live', { exact: true })).toHaveCount(0);
  // Data that was shown before is still available, with its age.
  await counts.getByRole('button', { name: /^active/i }).click();
  await expect(rows).toHaveCount(before, withinTwoSeconds);
  await expect(page.getByText(/as of \d/).first()).toBeVisible();
  await counts.getByRole('button', { name: /^paused/i }).click();
  await expect(rows).toHaveCount(0, withinTwoSeconds);
  await context.setOffline(false);
  await expect(rows.first()).toContainText(/paused/i);
  await expect(page.getByText('No connection to the server.')).toHaveCount(0);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
});

test('a killed server is noticed and restarts, and live updates resume', async ({ page }) => {
  await signIn(page);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await killServer();
  await expect(page.getByText('Live updates lost')).toBeVisible({ timeout: 20_000 });
  await expect(page.getByText('Live', { exact: true })).toBeVisible({ timeout: 60_000 });
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Analysis' })).toBeVisible();
});
