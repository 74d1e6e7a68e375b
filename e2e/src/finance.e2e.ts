import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { simcube } from './command-line.ts';
import { open, signIn, visit, waitUntilLoaded } from './console.ts';
import { downloadedFile, forBackgroundWork } from './sims.ts';

const reason = 'Records of a roaming partner came late';
const lateMegabytes = 1000;
/** A network in a country of the zone. */
const network = '466,92';

const menuEntry = (page: Page) =>
  page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Finance' });
/** Opens the newest bill that is published and unpaid; after the middle of a month it may be past due. */
const openUnpaid = async (page: Page): Promise<string> => {
  await menuEntry(page).click();
  const unpaid = page.getByRole('row', { name: /^BILL-.*\b(Issued|Expired)\b/ }).first();
  const link = unpaid.getByRole('link', { name: /^BILL-/ });
  const number = (await link.innerText()).trim();
  await link.click();
  await expect(page.getByRole('row', { name: /^Total before tax/ })).toBeVisible();
  await waitUntilLoaded(page);
  return number;
};
const centsOf = (text: string): number => {
  const [, amount = ''] = /€([\d,]+\.\d{2})/.exec(text) ?? [];
  return Number(amount.replaceAll(/\D/g, ''));
};
const totalOf = async (page: Page): Promise<number> =>
  centsOf(await page.getByRole('row', { name: /^Total before tax/ }).innerText());

/** Opens the explanation of the charge for usage in Asia, and the SIM with the most. @returns the SIM and one of its days */
const openExplanation = async (page: Page): Promise<{ iccid: string; day: string; megabytes: number }> => {
  await page
    .getByRole('row', { name: /^Out of coverage, Asia/ })
    .first()
    .getByRole('button')
    .click();
  const explanation = page.getByRole('complementary', { name: 'How the amount of a line is calculated' });
  await explanation
    .getByRole('button', { name: /\d{18,20}/, expanded: false })
    .first()
    .click();
  await expect(explanation).toContainText('CDRs of these days');
  const text = await explanation.innerText();
  const [, iccid = '', rest = ''] = /\b(\d{18,20})\b(.*)/s.exec(text) ?? [];
  const [day = ''] = /[A-Z][a-z]{2} \d{1,2}, \d{4}/.exec(rest) ?? [];
  const [, megabytes = ''] = /([\d,]+) started MB/.exec(rest) ?? [];
  return { iccid, day, megabytes: Number(megabytes.replaceAll(',', '')) };
};

/** Replaces a bill with a new version from current data, at the prices of one tariff. @returns the new version */
const reissue = async (number: string, why: string): Promise<number> => {
  const output = await simcube('bills', 'reissue', number, '--reason', why, '--tariff', 'WHOLESALE');
  return Number(/version (\d+)/.exec(output)?.[1]);
};

/** Imports a record of a day, as sent by the roaming partner. */
const importLate = async (iccid: string, day: string): Promise<void> => {
  const directory = await mkdtemp(join(tmpdir(), 'simcube-late-'));
  const file = join(directory, 'late.csv');
  const endedAt = new Date(`${day} 12:00 UTC`).toISOString();
  const bytes = lateMegabytes * 2 ** 20;
  await writeFile(
    file,
    `iccid,record_id,ended_at,up_bytes,down_bytes,mcc,mnc\n${iccid},late-${Date.now()},${endedAt},${bytes},0,${network}\n`,
  );
  await simcube('cdrs', 'import', file);
  await rm(directory, { recursive: true });
};

test('late usage leads to a new version of its bill, which is explained and paid', async ({ page }) => {
  test.slow();
  await signIn(page);
  await open(page, 'analysis');
  const priced = await reissue(await openUnpaid(page), 'Priced as agreed');
  await page.reload();
  const number = await openUnpaid(page);
  const [total, before] = [await totalOf(page), await openExplanation(page)];

  await importLate(before.iccid, before.day);
  const version = await reissue(number, reason);
  expect(version).toBe(priced + 1);
  await page.reload();
  const replacement = await openUnpaid(page);
  await expect(
    page.getByText(new RegExp(`Version ${version} of .+ replaces version ${priced} of `)),
  ).toBeVisible();
  await expect(page.getByText(reason)).toBeVisible();
  const after = await openExplanation(page);
  expect(after).toEqual({ ...before, megabytes: before.megabytes + lateMegabytes });
  const due = await totalOf(page);
  // The zone's price in the tariff of the demonstration is one cent.
  expect(due - total).toBe(lateMegabytes);

  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Compute again' }).click();
  await expect(page.getByText(/Computed again .*: the same cents/)).toBeVisible(forBackgroundWork);
  const pdf = await downloadedFile(page, () => page.getByRole('button', { name: 'Download PDF' }).click());
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');

  const amount = (due / 100).toFixed(2);
  expect(await simcube('bills', 'pay', replacement, amount, '--reference', 'Transfer 1')).toContain('paid');
  await page.reload();
  await expect(page.getByText(/^€[\d,.]+ paid$/)).toBeVisible();
  await menuEntry(page).click();
  await expect(page.getByRole('row', { name: new RegExp(`^${replacement}.*\\bPaid\\b`) })).toBeVisible();
  await open(page, 'finance', 'es-ES');
  await expect(page.getByRole('row', { name: new RegExp(`^${replacement}`) })).toContainText('Pagada');
});

test('a bill prints completely, in light colours, without the console around it', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await signIn(page);
  await visit(page, 'financeDetailsPage?id=1');
  await expect(page.getByRole('row', { name: /^Total before tax/ })).toBeVisible();
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(menuEntry(page)).toBeHidden();
  await expect(page.getByRole('banner').first()).toBeHidden();
  await expect(page.getByRole('button', { name: 'PDF', exact: true })).toBeHidden();
  // The page must be as long as the bill, not as the window: anything below would not be printed.
  const hidden = await page
    .getByRole('main')
    .evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
  expect(hidden).toBe(0);
  await expect(page.locator('html')).toHaveCSS('color-scheme', 'light');
});
