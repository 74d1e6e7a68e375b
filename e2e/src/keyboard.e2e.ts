import { randomInt } from 'node:crypto';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { demo, open, signIn, visit, waitForConsole, waitUntilLoaded } from './console.ts';
import { forBackgroundWork, messages, selectionBar } from './sims.ts';

/** Maximum number of Tab presses between two steps when using only the keyboard. */
const maxPresses = 24;

/** Presses Tab until the target has the focus. */
const tabTo = async (page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> => {
  await expect(target).toBeVisible();
  for (let pressed = 0; pressed < maxPresses; pressed += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  await expect(target, `${maxPresses} times ${key}`).toBeFocused();
};

const press = async (page: Page, target: Locator): Promise<void> => {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
};

/** Opens a page of the console by its name in the palette. */
const goTo = async (page: Page, name: string): Promise<void> => {
  await expect(async () => {
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused({ timeout: 3000 });
  }).toPass();
  await page.keyboard.type(name);
  await expect(page.getByRole('option', { name, exact: true })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await waitUntilLoaded(page);
};

/** After opening a page, the first Tab focuses a link that skips to the current row. */
const skipToRows = async (page: Page): Promise<void> => {
  await page.locator('main').focus();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Skip to the rows' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('tbody tr:focus')).toHaveCount(1);
  // Pinned cells would cover the outline of the row.
  await expect(page.locator('tbody tr:focus [data-pinned]')).toHaveCSS('box-shadow', /inset/);
};

const signInByKeys = async (page: Page): Promise<void> => {
  await open(page, 'login');
  const password = page.getByLabel('Password', { exact: true });
  await tabTo(page, page.getByLabel('Email', { exact: true }));
  await page.keyboard.type(demo.admin);
  await tabTo(page, password);
  await page.keyboard.type('Wrong-2026!');
  await tabTo(page, page.getByRole('checkbox'));
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(password).toBeFocused();
  // The text is selected, so typing replaces it.
  await page.keyboard.type(demo.password);
  await page.keyboard.press('Enter');
  await waitForConsole(page);
};

/** Confirms the open dialog. */
const confirmByKeys = async (page: Page, name: string): Promise<void> => {
  const dialog = page.getByRole('dialog').filter({ visible: true });
  await expect(dialog.getByRole('button', { name, exact: true })).toBeEnabled();
  await press(page, dialog.getByRole('button', { name, exact: true }));
  await expect(dialog).toBeHidden();
};

test('find, filter, save a view, select, suspend, undo, transfer, export and invite by keyboard only', async ({
  page,
}) => {
  test.setTimeout(300_000);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const view = `Keys ${randomInt(1e6)}`;
  await signInByKeys(page);
  await goTo(page, 'SIMs');

  await test.step('find', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('Meter');
    await expect(page).toHaveURL(/search=Meter/);
    await waitUntilLoaded(page);
  });

  await test.step('filter', async () => {
    await tabTo(page, page.getByRole('button', { name: /^Active / }), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/lifecycle=active/);
    await tabTo(page, page.getByRole('button', { name: '+ Filter' }));
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('menuitem').first()).toBeFocused();
    await page.keyboard.type('c');
    await expect(page.getByRole('menuitem', { name: 'Connection', exact: true })).toBeFocused();
    await page.keyboard.press('Enter');
    const filter = page.getByRole('dialog', { name: 'Connection' });
    await tabTo(page, filter.getByRole('checkbox', { name: 'offline' }));
    await page.keyboard.press('Space');
    await expect(page).toHaveURL(/connection=offline/);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: /^Connection/ })).toBeFocused();
    await waitUntilLoaded(page);
  });

  await test.step('save a view', async () => {
    await tabTo(page, page.getByRole('button', { name: 'Save view' }), 'Shift+Tab');
    await page.keyboard.press('Enter');
    const name = page.getByRole('textbox', { name: 'Name of the view' });
    await tabTo(page, name);
    await page.keyboard.type(view);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('tab', { name: view })).toHaveAttribute('aria-selected', 'true');
    await waitUntilLoaded(page);
  });

  await test.step('select', async () => {
    await skipToRows(page);
    await page.keyboard.press('x');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await expect(selectionBar(page)).toContainText('3 selected');
    await page.keyboard.press('Shift+ArrowUp');
    await expect(selectionBar(page)).toContainText('2 selected');
  });

  await test.step('suspend', async () => {
    await press(page, selectionBar(page).getByRole('button', { name: 'Suspend' }));
    await confirmByKeys(page, 'Suspend 2 SIMs');
    await expect(messages(page).getByText(/^Suspend SIMs T\d+ is done\./)).toBeVisible(forBackgroundWork);
  });

  await test.step('undo', async () => {
    await page.keyboard.press('F8');
    await press(page, messages(page).getByRole('button', { name: 'Undo' }));
    await expect(messages(page).getByText(/^Undo changes T\d+ is done\./)).toBeVisible(forBackgroundWork);
  });

  await test.step('transfer', async () => {
    await skipToRows(page);
    await page.keyboard.press('End');
    await page.keyboard.press('x');
    await press(page, selectionBar(page).getByRole('button', { name: 'Transfer' }));
    const target = page.getByRole('combobox', { name: 'Target organisation' });
    await tabTo(page, target);
    await page.keyboard.type('Iberia');
    await expect(page.getByTitle('Acme Mobility Iberia (ACME-IBERIA)')).toBeVisible();
    await page.keyboard.press('Enter');
    await confirmByKeys(page, 'Transfer 1 SIM');
  });

  await test.step('export', async () => {
    await page.locator('main').focus();
    await press(page, page.getByRole('main').getByRole('button', { name: 'Export', exact: true }));
    await confirmByKeys(page, 'Export');
    await expect(page.getByRole('main').getByRole('button', { name: 'Export', exact: true })).toBeFocused();
  });

  await test.step('invite', async () => {
    await goTo(page, 'Settings');
    await tabTo(page, page.getByRole('tab', { name: 'Profile' }));
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('tab', { name: 'Accounts' })).toHaveAttribute('aria-selected', 'true');
    await tabTo(page, page.getByRole('button', { name: 'New account' }), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByLabel('First name'));
    await page.keyboard.type('Kim');
    await tabTo(page, page.getByLabel('Last name'));
    await page.keyboard.type('Keys');
    await tabTo(page, page.getByRole('textbox', { name: 'Email' }));
    await page.keyboard.type(`kim-${randomInt(1e9)}@acme.example`);
    await press(page, page.getByRole('button', { name: 'Create and invite' }));
    await expect(page.getByRole('status').filter({ hasText: 'Kim Keys' })).toBeVisible();
  });
});

test('a dialog that focuses its field returns the focus to its opener', async ({ page }) => {
  await signIn(page);
  await visit(page, 'simCard?size=10');
  const opener = page.getByRole('button', { name: 'Bulk search…' });
  await opener.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Paste the list' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();
});

test('the times of a weekly schedule are set by keyboard only', async ({ page }) => {
  await signIn(page);
  await visit(page, 'scheduleSmsAdd');
  await page.locator('main').focus();
  await tabTo(page, page.getByRole('button', { name: 'Add Mon 09:00' }));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Time on Tue, 10:00')).toBeFocused();
  await page.keyboard.type('06:30');
  // The time changes while the focus moves on.
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Remove Tue 06:30' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Add Tue 10:00' })).toBeFocused();
});
