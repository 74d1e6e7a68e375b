import { randomInt } from 'node:crypto';
import { expect, type Page, test } from '@playwright/test';
import { open, signIn } from './console.ts';
import { openGateway } from './radius.ts';

const gib = 2 ** 30;
/** From the gateway's packet to what the person sees, without a reload. */
const soon = { timeout: 2000 };

const imsiOn = async (page: Page): Promise<string> => {
  const text = (await page.locator('main').textContent()) ?? '';
  return /\b\d{15}\b/.exec(text.slice(text.indexOf('IMSI')))?.[0] ?? '';
};

test('what a gateway reports is on the open SIM page within two seconds, and once', async ({ page }) => {
  const gateway = await openGateway();
  await signIn(page);
  // A SIM that the simulator leaves alone: one that has been terminated never gets in.
  await open(page, 'simCard?lifecycle=%5B%22terminated%22%5D');
  const link = page.getByRole('link', { name: /^\d{18,20}$/ }).first();
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
  await expect(page.getByText('online').first()).toBeVisible(soon);

  expect(await gateway.account('interim', { ...facts, up: 1 * gib, down: 3 * gib })).toBe(true);
  await expect(page.getByText(/4(\.00?)? GB/).first()).toBeVisible(soon);
  const beyond = { ...facts, up: 2 * gib, down: 7 * gib };
  expect(await gateway.account('interim', beyond)).toBe(true);
  await expect(page.getByText(/9(\.00?)? GB/).first()).toBeVisible(soon);
  // The gateway did not hear the answer and says it again: counted once.
  expect(await gateway.account('interim', beyond)).toBe(true);

  await page.getByRole('tab', { name: 'Session' }).click();
  for (const shown of ['10.64.12.9', 'iot.story', /35693803564380/, /Vodafone/]) {
    await expect(page.getByText(shown).first()).toBeVisible();
  }
  expect(await gateway.account('stop', beyond)).toBe(true);
  await expect(page.getByText('offline').first()).toBeVisible(soon);
  await page.getByRole('tab', { name: 'Overview' }).click();
  await expect(page.getByText(/9(\.00?)? GB/).first()).toBeVisible();
  await expect(page.getByText(/18(\.00?)? GB/)).toHaveCount(0);
  expect(await page.evaluate(() => (globalThis as { untouched?: boolean }).untouched)).toBe(true);
  await gateway.close();
});

test('a lost stream says so and comes back by itself', async ({ page, context }) => {
  await signIn(page);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText('Live updates lost')).toBeVisible({ timeout: 40_000 });
  await context.setOffline(false);
  await expect(page.getByText('Live', { exact: true })).toBeVisible({ timeout: 40_000 });
});
