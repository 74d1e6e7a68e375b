import { expect, type Locator, type Page } from '@playwright/test';
import { productUrl } from './product.ts';

/** Users of the demonstration (docs/operations.md). */
export const demo = {
  admin: 'admin@acme.example',
  operator: 'operator@acme.example',
  user: 'user@acme.example',
  password: 'Demo-2026!',
};

/** Opens a page of the console in a language. */
export const open = (page: Page, path: string, language = 'en-US') =>
  page.goto(`${productUrl()}/${language}/${path}`);

const labels = {
  'en-US': { email: 'Email', password: 'Password', submit: 'Sign in' },
  'es-ES': { email: 'Correo electrónico', password: 'Contraseña', submit: 'Iniciar sesión' },
};

/** Fills in the sign-in form and sends it. */
export const fillSignIn = async (
  page: Page,
  { email = demo.admin, password = demo.password, language = 'en-US' as keyof typeof labels } = {},
) => {
  const { email: emailLabel, password: passwordLabel, submit } = labels[language];
  await page.getByLabel(emailLabel, { exact: true }).fill(email);
  await page.getByLabel(passwordLabel, { exact: true }).fill(password);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: submit }).click();
};

/** Chooses a language on the sign-in page: otherwise the console opens in that of the account. */
export const chooseLanguage = async (page: Page, language: keyof typeof labels) => {
  await page.getByLabel('Language', { exact: true }).selectOption(language);
  await expect(page.locator('html')).toHaveAttribute('lang', language);
};

/** Browser storage of people who have signed in, by person and language. */
const signedIn = new Map<string, Record<string, string>>();

/**
 * Signs in, closes the welcome at the person's first sign-in, and waits for the console. For people who have signed in before,
 * it restores the browser storage, which is a second faster; the sign-in page has separate tests.
 */
export const signIn = async (
  page: Page,
  { email = demo.admin, language = 'en-US' }: { email?: string; language?: keyof typeof labels } = {},
) => {
  const person = `${email} ${language}`;
  const stored = signedIn.get(person);
  if (stored) {
    await page.goto(`${productUrl()}/favicon.svg`);
    await page.evaluate((entries) => {
      for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
    }, stored);
    await open(page, 'analysis', language);
    return waitForConsole(page);
  }
  await open(page, 'login');
  await chooseLanguage(page, language);
  await fillSignIn(page, { email, language });
  await waitForConsole(page);
  // The next sign-in is not the first.
  const entries = await page.evaluate(() => Object.entries<string>(localStorage));
  signedIn.set(person, { ...Object.fromEntries(entries), loginsCount: '2' });
};

/** Waits for the console after signing in: the address changes before the sign-in page disappears. */
export const waitForConsole = async (page: Page) => {
  await expect(page.locator('[aria-keyshortcuts^="Control+K"]')).toBeVisible();
  await waitUntilLoaded(page);
  if ((await page.evaluate(() => localStorage.getItem('loginsCount'))) !== '1') return;
  const welcome = page.getByRole('dialog', { name: /Welcome|¡/ });
  await expect(welcome).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(welcome).toBeHidden();
};

/** Navigates like a link inside the console, without reloading it. */
export const visit = async (page: Page, path: string, language = 'en-US') => {
  await page.evaluate((to) => history.pushState(null, '', to), `/${language}/${path}`);
  await waitForRoute(page);
  await expect(page.locator('html')).toHaveAttribute('lang', language);
  await waitUntilLoaded(page);
};

interface Router {
  state: { status: string; location: { href: string }; resolvedLocation?: { href: string } };
}

/** Waits until the console's router shows the page of the address, so that the previous page is not mistaken for it. */
const waitForRoute = (page: Page) =>
  expect
    .poll(
      () =>
        page.evaluate(() => {
          const { status, location, resolvedLocation } = (Reflect.get(window, '__TSR_ROUTER__') as Router)
            .state;
          const shown = resolvedLocation?.href;
          return status === 'idle' && shown === location.href
            ? 'arrived'
            : `${status}: ${shown} → ${location.href}`;
        }),
      { intervals: [20, 50, 100], timeout: 30_000 },
    )
    .toBe('arrived');

/** Long, because the demonstration is new: its charts read records until these are counted, while the product is still starting. */
const loadTimeoutMs = 60_000;

/** Waits until nothing visible on the page is loading. (The live stream keeps the network busy permanently.) */
export const waitUntilLoaded = async (page: Page) => {
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  const busy = page.locator('[aria-busy="true"]').filter({ visible: true });
  await expect(busy).toHaveCount(0, { timeout: loadTimeoutMs });
};

/** Chooses another organisation in the header. */
export const switchTo = async (page: Page, name: string) => {
  await page.getByRole('button', { name: /^Organisation: / }).click();
  await switchBy(page, page.getByRole('menuitem', { name }), name);
};

/** Clicks what switches to another organisation, and waits until the page is reloaded for it. */
export const switchBy = async (page: Page, control: Locator, name: string) => {
  // The header shows the new name before the page is left: what follows must wait for the reload.
  const loaded = page.waitForEvent('load');
  await control.click();
  await loaded;
  await expect(page.getByRole('button', { name: `Organisation: ${name}` })).toBeVisible();
};
