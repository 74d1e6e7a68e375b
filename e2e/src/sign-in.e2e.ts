import { randomInt } from 'node:crypto';
import { expect, type Page, test } from '@playwright/test';
import { overflowWidth } from './accessibility.ts';
import { simcube } from './command-line.ts';
import {
  chooseLanguage,
  demo,
  fillSignIn,
  open,
  signIn,
  waitForConsole,
  waitUntilLoaded,
} from './console.ts';
import { productUrl } from './product.ts';

test('the root address leads to sign-in in the browser’s language, without its hash', async ({ browser }) => {
  for (const [locale, language] of [
    ['es-MX', 'es-ES'],
    ['zh-TW', 'zh-TW'],
    ['fr-FR', 'en-US'],
  ] as const) {
    const page = await browser.newPage({ locale });
    await page.goto(`${productUrl()}/#rest`);
    await expect(page).toHaveURL(new RegExp(`/${language}/login$`));
    expect(new URL(page.url()).hash).toBe('');
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    await page.close();
  }
});

test('the sign-in page fits a phone and marks missing fields', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, 'login');
  const submit = page.getByRole('button', { name: 'Sign in' });
  await submit.click();
  const problems = page.locator('input[aria-invalid="true"]');
  await expect(problems.first()).toBeVisible();
  await page.getByLabel('Email', { exact: true }).fill(demo.admin);
  await page.getByLabel('Password', { exact: true }).fill('x');
  await submit.click();
  await expect(page.getByText(/agree|accept/i).first()).toBeVisible();
  expect(await overflowWidth(page)).toBe(0);
  await expect(page).toHaveURL(/\/login$/);
});

test('a wrong password is rejected with a message', async ({ page }) => {
  await open(page, 'login');
  await fillSignIn(page, { password: 'Wrong-1!' });
  await expect(page.getByRole('alert').first()).toBeVisible();
  await expect(page).toHaveURL(/\/login/);
});

test('a guarded page requires sign-in and is shown afterwards, in the chosen language', async ({ page }) => {
  await open(page, 'simCard?search=truck');
  await expect(page).toHaveURL(/\/en-US\/login/);
  await chooseLanguage(page, 'es-ES');
  await fillSignIn(page, { language: 'es-ES', email: demo.user });
  await expect(page).toHaveURL(/\/es-ES\/simCard\?.*search=/);
});

test('the console opens in the account’s language, whichever the address had', async ({ page }) => {
  await open(page, 'simCard?search=truck', 'es-ES');
  await fillSignIn(page, { language: 'es-ES', email: demo.user });
  await expect(page).toHaveURL(/\/en-US\/simCard\?.*search=/);
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-US');
});

/** A person who has never signed in: a new one for each run of the test. */
const newPerson = async (): Promise<{ email: string; password: string }> => {
  const words = ['--org', 'NORDWIND', '--generate-password', '--json'];
  const email = `new-${randomInt(1e9)}@nordwind.example`;
  return JSON.parse(await simcube('users', 'create-superadmin', email, ...words)) as {
    email: string;
    password: string;
  };
};

test('the first sign-in shows the welcome, the next one does not', async ({ page }) => {
  const { email, password } = await newPerson();
  await open(page, 'login');
  await fillSignIn(page, { email, password });
  const welcome = page.getByRole('dialog', { name: /Welcome/ });
  await expect(welcome).toBeVisible();
  await welcome.getByRole('button', { name: /start/i }).click();
  await expect(welcome).toBeHidden();
  await page.getByRole('button', { name: /Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(/\/login/);
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  await fillSignIn(page, { email, password });
  await expect(page.getByRole('heading', { name: 'Analysis' })).toBeVisible();
  await expect(welcome).toBeHidden();
});

/** Ends the session of the stored token at the server, as signing out elsewhere would. */
const endSessionOf = async (page: Page): Promise<void> => {
  const token = await page.evaluate(() => localStorage.getItem('token'));
  await page.request.post(`${productUrl()}/identity/sso/signin/signout/cube`, {
    headers: { authorization: `Bearer ${token}` },
    data: {},
  });
};

test('an ended session shows the unauthorised page, and an unknown token leads to sign-in', async ({
  page,
}) => {
  await signIn(page);
  await page.evaluate(() => localStorage.setItem('token', 'never-ours'));
  await page.reload();
  await expect(page).toHaveURL(/\/login/);
  await fillSignIn(page, await newPerson());
  await waitForConsole(page);
  // Leaves the console, whose stream would report the end.
  await page.goto(`${productUrl()}/favicon.svg`);
  await endSessionOf(page);
  await open(page, 'analysis');
  await expect(page).toHaveURL(/\/401$/);
});

test('after a session ends in two tabs, one sign-in restores the page of each', async ({ page, context }) => {
  const person = await newPerson();
  await open(page, 'login');
  await fillSignIn(page, person);
  await waitForConsole(page);
  await open(page, 'taskcenter?status=done');
  const other = await context.newPage();
  await open(other, 'orgs?search=nord');
  for (const tab of [page, other]) await waitUntilLoaded(tab);
  await endSessionOf(page);
  // Either learns of it from the server, or from the other.
  for (const tab of [page, other]) await expect(tab).toHaveURL(/\/(401|login)$/);
  for (const tab of [page, other]) await open(tab, 'login');
  await fillSignIn(page, person);
  await expect(page).toHaveURL(/\/taskcenter\?status=done$/);
  await expect(other).toHaveURL(/\/orgs\?search=nord$/);
});

test('a page from the back/forward cache reloads after the organisation was switched', async ({ page }) => {
  await signIn(page, { email: demo.user });
  const loaded = page.waitForEvent('load');
  await page.evaluate(() => {
    localStorage.setItem('tenantId', 'another');
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  });
  await loaded;
});
