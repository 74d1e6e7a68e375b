import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Download, expect, type Locator, type Page } from '@playwright/test';
import { open, waitUntilLoaded } from './console.ts';

/** Time for background work while other tests use the product and its two cores too. */
export const forBackgroundWork = { timeout: 60_000 };

type Filter = Record<string, readonly string[]>;

/** Opens the SIM list with a filter in its address. */
export const openSims = async (page: Page, filter: Filter = {}): Promise<void> => {
  const pairs = Object.entries(filter).flatMap(([name, values]) => values.map((value) => [name, value]));
  await open(page, `simCard?${new URLSearchParams(pairs)}`);
  await waitUntilLoaded(page);
};

/** A SIM that the tests of sims.e2e.ts do not move: they use those of the first page of a list. */
export const someIccid = async (page: Page, language?: string): Promise<string> => {
  await open(page, 'simCard?lifecycle=active&page=3', language);
  return firstIccid(page);
};

/** A SIM with an open session, for pictures; it may take a minute until the first devices are connected. */
export const onlineIccid = async (page: Page): Promise<string> => {
  await open(page, 'simCard?connection=online');
  return firstIccid(page, { timeout: 120_000 });
};

const firstIccid = async (page: Page, options?: { timeout: number }): Promise<string> => {
  const link = page.getByRole('link', { name: /^\d{18,20}$/ }).first();
  await expect(link).toBeVisible(options);
  return ((await link.textContent()) ?? '').replaceAll(/\s/g, '');
};

/** Listed SIMs from a random offset: a repeated test uses other SIMs. */
export const listedSims = async (page: Page): Promise<string[]> => {
  const links = page.getByRole('link', { name: /^\d{18,20}$/ }).filter({ visible: true });
  await expect(links.first()).toBeVisible();
  const iccids = (await links.allTextContents()).map((text) => text.replaceAll(/\s/g, ''));
  const start = randomInt(iccids.length);
  return [...iccids.slice(start), ...iccids.slice(0, start)];
};

export const selectSims = async (page: Page, iccids: readonly string[]): Promise<void> => {
  for (const iccid of iccids) await page.getByRole('checkbox', { name: `Select ${iccid}` }).check();
  await expect(selectionBar(page)).toContainText(`${iccids.length} selected`);
};

/** The bar that floats over the list while rows are selected. */
export const selectionBar = (page: Page): Locator => page.getByRole('toolbar', { name: 'Selected rows' });

/** The messages at the bottom, which report the progress of operations. */
export const messages = (page: Page): Locator => page.getByRole('region', { name: /^Notifications/ });

/**
 * Confirms the open dialog with its button, which closes it, and dismisses the resulting message.
 * @returns the reference of its task
 */
export const confirmDialog = async (page: Page, button: string): Promise<string> => {
  const dialog = page.getByRole('dialog').filter({ visible: true });
  await dialog.getByRole('button', { name: button, exact: true }).click();
  await expect(dialog).toBeHidden();
  const message = messages(page).getByText(/T\d+/).last();
  await expect(message).toBeVisible();
  const [reference = ''] = /T\d+/.exec((await message.textContent()) ?? '') ?? [];
  await messages(page).getByRole('button', { name: 'Dismiss' }).last().click();
  return reference;
};

/** Opens a task in the task centre and waits for its end. @returns the drawer with its facts */
export const finishedTask = async (page: Page, reference: string): Promise<Locator> => {
  await open(page, `taskcenter?task=${reference}`);
  const drawer = page.getByRole('dialog', { name: `Task ${reference}` });
  await expect(drawer.locator('dl').getByText('Done', { exact: true })).toBeVisible(forBackgroundWork);
  return drawer;
};

/** Content of the file that a click saves. */
export const downloadedFile = async (page: Page, click: () => Promise<void>): Promise<Buffer> => {
  const download: Promise<Download> = page.waitForEvent('download');
  await click();
  return readFile(await (await download).path());
};

/** Visible text of a SIM's page, such as name, state and connection above the tabs; the list behind it is kept, but hidden. */
export const visibleText = (page: Page, text: string | RegExp): Locator =>
  page.getByText(text).filter({ visible: true }).first();
