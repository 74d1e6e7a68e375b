import { randomInt } from 'node:crypto';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { demo, open, signIn, switchBy, waitUntilLoaded } from './console.ts';
import { linkMailedTo } from './mailbox.ts';
import { productUrl } from './product.ts';

const person = `ida-${randomInt(1e9)}@acme.example`;
const password = 'Cube-9876!';
const branch = `Acme Branch ${randomInt(1e6)}`;
const codeSeconds = 30;

const newPage = async (context: BrowserContext): Promise<Page> => {
  const page = await context.newPage();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  return page;
};

/** A row of a table by its text. */
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text }).first();

/** The code of an authenticator app; `ahead` is the next one, because no code is accepted twice. */
const codeOf = (secret: string, { ahead = false } = {}): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + (ahead ? codeSeconds * 1000 : 0),
  });

const invite = async (page: Page): Promise<void> => {
  await open(page, 'newUser');
  await page.getByLabel('First name').fill('Ida');
  await page.getByLabel('Last name').fill('Ortiz');
  await page.getByRole('textbox', { name: 'Email' }).fill(person);
  await page.getByLabel('Role').click();
  await page.getByTitle('Admin', { exact: true }).click();
  await page.getByRole('button', { name: 'Create and invite' }).click();
  await expect(page.getByText('Invitation sent')).toBeVisible();
  await open(page, 'setCard?tab=accounts');
  await expect(rowOf(page, person)).toContainText('Invited');
};

const accept = async (page: Page): Promise<void> => {
  const link = await linkMailedTo(person);
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'You are invited' })).toBeVisible();
  expect(page.url()).not.toContain('#');
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByLabel('Confirm password', { exact: true }).fill(`${password.slice(0, -1)}?`);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Accept and sign in' }).click();
  await expect(page.getByText("Two passwords don't match!")).toBeVisible();
  await page.getByLabel('Confirm password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Accept and sign in' }).click();
  await expect(page.getByRole('dialog', { name: /Welcome/ })).toBeVisible();
  await page.keyboard.press('Escape');
};

/** @returns the secret for the authenticator app */
const turnOnTwoFactor = async (page: Page): Promise<string> => {
  await open(page, 'setCard?tab=profile');
  await page.getByRole('button', { name: 'Turn on', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Turn on two-factor authentication' });
  await dialog.getByLabel('Your password').fill(password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  const secret = /[A-Z2-7]{16,}/.exec(
    (
      (await dialog
        .getByText(/^[A-Z2-7 ]{16,}$/)
        .first()
        .textContent()) ?? ''
    ).replaceAll(' ', ''),
  )?.[0];
  await dialog.getByLabel('Verification code').fill(codeOf(secret ?? ''));
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await expect(dialog.getByText('Your recovery codes')).toBeVisible();
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('10 recovery codes left')).toBeVisible();
  return secret ?? '';
};

const signOut = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(/\/login/);
};

const signInWithCode = async (page: Page, secret: string): Promise<void> => {
  await page.getByLabel('Email', { exact: true }).fill(person);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await page.getByLabel('Verification code').fill(codeOf(secret, { ahead: true }));
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page).not.toHaveURL(/\/login/);
  await waitUntilLoaded(page);
};

const createBranch = async (page: Page): Promise<void> => {
  await open(page, 'orgscreate');
  await page.getByLabel('Organisation name').fill('Abc');
  await page.getByRole('button', { name: 'Create organisation' }).click();
  await expect(page.getByText('At least 5 characters')).toBeVisible();
  await page.getByLabel('Organisation name').fill(branch);
  await page.getByLabel('Country').fill('Portu');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Create organisation' }).click();
  await page.getByRole('link', { name: 'Go to my organisations' }).click();
  await expect(rowOf(page, branch)).toContainText('Portugal');
};

test('a person invited by email signs in with two factors and creates an organisation with oversight', async ({
  browser,
}) => {
  const [office, home] = [await browser.newContext(), await browser.newContext()];
  const admin = await newPage(office);
  await signIn(admin);
  await invite(admin);
  const page = await newPage(home);
  await accept(page);
  const secret = await turnOnTwoFactor(page);
  await signOut(page);
  await signInWithCode(page, secret);
  await createBranch(page);

  // The superadmin of the first-level organisation has oversight: nobody added that account to the branch.
  await switchBy(page, rowOf(page, branch).getByRole('button', { name: /Switch to/ }), branch);
  await open(page, 'setCard?tab=accounts');
  await expect(rowOf(page, 'root@simcube.example')).toContainText('Admin');
  await expect(rowOf(page, person)).toContainText('Admin');

  // The actions are in the audit trail of the organisation above.
  await open(admin, 'setCard?tab=audit');
  for (const what of ['Ida Ortiz', branch]) await expect(admin.getByText(what).first()).toBeVisible();
  await Promise.all([office.close(), home.close()]);
});

test('a user is denied what the role does not permit, in the console and by the server', async ({ page }) => {
  await signIn(page, { email: demo.user });
  await expect(page.getByRole('link', { name: 'Settings' })).toBeVisible();
  await open(page, 'setCard?tab=accounts');
  await expect(page.getByRole('tab', { name: 'Accounts' })).toHaveCount(0);
  for (const path of ['newUser', 'orgscreate']) {
    await open(page, path);
    await expect(page).not.toHaveURL(new RegExp(path));
  }
  const response = await page.evaluate(async (url) => {
    const stored = (key: string) => localStorage.getItem(key) ?? '';
    const response = await fetch(`${url}/customer/orgs`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${stored('token')}`,
        'partner-code': stored('partnerCode'),
        'tenant-id': stored('tenantId'),
        'content-type': 'application/json',
      },
      body: JSON.stringify({ name: 'Not allowed Ltd', country: 'DE', sms_quota: { kind: 'none' } }),
    });
    return { http: response.status, resultCode: (await response.json()).resultCode };
  }, productUrl());
  expect(response).toEqual({ http: 403, resultCode: '0134' });
});
