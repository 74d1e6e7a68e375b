import { expect, type Page, test } from '@playwright/test';
import { webhookEventTypes } from '@simcube/contract/webhook';
import { bundle } from '@simcube/phrases/en-US';
import { accessibilityProblems, overflowingLists, overflowWidth, type RuleSet } from './accessibility.ts';
import { signIn, visit } from './console.ts';
import { selectionBar, someIccid } from './sims.ts';

test.describe.configure({ mode: 'parallel' });

const heights = { 1440: 900, 1024: 768, 900: 768, 390: 844, 320: 568 } as const;
type Width = keyof typeof heights;
const resize = (page: Page, width: Width) => page.setViewportSize({ width, height: heights[width] });

interface Variant {
  language: 'en-US' | 'zh-CN' | 'zh-TW' | 'es-ES';
  width: Width;
  /** Light by default. */
  dark?: true;
  /** Rules that axe checks; none by default. */
  rules?: RuleSet;
}

/**
 * Variants in which each page is checked, one after the other in an open console. Another theme changes only colours; another
 * language changes only texts, of which Spanish has the longest; the medium width has the same elements as the widest.
 */
const variants: readonly Variant[] = [
  { language: 'en-US', width: 1440, rules: 'all' },
  { language: 'en-US', width: 1440, dark: true, rules: 'colours' },
  { language: 'en-US', width: 1024 },
  { language: 'en-US', width: 390, rules: 'all' },
  { language: 'zh-CN', width: 390 },
  { language: 'zh-TW', width: 390 },
  { language: 'es-ES', width: 320 },
  { language: 'es-ES', width: 390 },
  { language: 'es-ES', width: 900 },
  { language: 'es-ES', width: 1440 },
];

/** Lists are last, because they remain in the page, hidden, once opened. */
const pagesOf = (iccid: string): readonly string[] => [
  'analysis',
  'heatmap',
  'shared',
  'shared/1',
  'shared/1?tab=sims',
  'shared/1?tab=activity',
  `simCard/${iccid}`,
  ...['usage', 'bundles', 'events', 'trace', 'sms', 'sessions', 'location'].map(
    (tab) => `simCard/${iccid}?tab=${tab}`,
  ),
  `simCard/${iccid}?diagnose=open`,
  'orgscreate',
  'newUser',
  ...['profile', 'accounts', 'organisation', 'security', 'groups', 'preferences', 'audit'].map(
    (tab) => `setCard?tab=${tab}`,
  ),
  '401',
  'no-such-page',
  'autoflow/templates',
  'autoflow/templates?template=new',
  'orgs',
  'taskcenter',
  'cdrCard',
  'chartView',
  'message',
  'message?tab=replies',
  'message?compose=open',
  `message?message=${iccid}-1700000000000-1`,
  'service',
  ...['keys', 'webhook', 'calls', 'deliveries'].map((tab) => `developerView?tab=${tab}`),
  'developerView?make=key',
  'autoflow',
  'workFlowOperation',
  'trigger',
  'reports',
  'guide',
  'guide/sims',
  'finance',
  'financeDetailsPage?id=1',
  'financeDetailsPage?id=1&line=1',
  'financeSimDetailsPage?id=1',
  'simCard',
];

/** Rows are alike: checking ten of a list is enough, and takes a fraction of the time. */
const withFewRows = (path: string): string => `${path}${path.includes('?') ? '&' : '?'}size=10`;

/** Number of tests among which the pages are divided. */
const shares = 3;

for (let share = 0; share < shares; share++) {
  test(`every page is accessible, without raw keys or horizontal overflow: part ${share + 1} of ${shares}`, async ({
    page,
  }) => {
    // About twenty pages with eight variants each; axe takes seconds for each on a busy machine.
    test.setTimeout(600_000);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await signIn(page);
    const iccid = await someIccid(page);
    // Loads the page again, without the list.
    await page.goto(page.url().replace(/simCard.*/, 'analysis'));
    const pages = pagesOf(iccid).filter((_, index) => index % shares === share);
    for (const path of pages) for (const variant of variants) await checkPage(page, path, variant);
  });
}

const checkPage = async (
  page: Page,
  path: string,
  { language, width, dark, rules }: Variant,
): Promise<void> => {
  await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
  await resize(page, width);
  const address = withFewRows(path);
  if (!page.url().endsWith(`/${language}/${address}`)) await visit(page, address, language);
  const where = `${path} in ${language} at ${width}`;
  // Charts resize one frame later. Below the widest width, lists scroll sideways within their container.
  const tooWide = async () => [
    await overflowWidth(page),
    ...(width === 1440 ? await overflowingLists(page) : []),
  ];
  await expect.poll(tooWide, `what scrolls sideways on ${where}`).toEqual([0]);
  // When the theme changes, colours change gradually.
  if (rules) await expect.poll(() => accessibilityProblems(page, { rules }), where).toEqual([]);
  const text = withoutEventTypes(await page.locator('body').textContent());
  expect(
    keyPrefixes.filter((prefix) => text.includes(prefix)),
    where,
  ).toEqual([]);
};

/** Prefixes of phrase keys: `sim.lifecycle`, `kit.table`, … A missing phrase is shown as its key. */
const keyPrefixes = Object.entries(bundle).flatMap(([part, phrases]) =>
  Object.keys(phrases).map((name) => `${part}.${name}`),
);

/** Event types are shown by their names, which look like phrase keys. */
const withoutEventTypes = (text: string | null): string =>
  webhookEventTypes.reduce((rest, type) => rest.replaceAll(type, ' '), text ?? '');

interface Opener {
  what: string;
  /** Role of the element that opens. */
  role: 'dialog' | 'menu' | 'listbox';
  open: (page: Page) => Promise<void>;
}

const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name }).filter({ visible: true }).first().click();
const inMenu = (button: string | RegExp, item: string) => async (page: Page) => {
  await press(button)(page);
  await page.getByRole('menuitem', { name: item, exact: true }).click();
};

/** Filters next to the search, and in the menu where there is no room for them. */
const filters: readonly Opener[] = [
  { what: 'the menu of filters', role: 'menu', open: press('+ Filter') },
  { what: 'a filter by words', role: 'dialog', open: inMenu('+ Filter', 'Tags') },
  { what: 'a filter by choice', role: 'dialog', open: inMenu('+ Filter', 'Connection') },
  { what: 'the advanced search', role: 'dialog', open: press('Advanced search') },
  { what: 'the search by list', role: 'dialog', open: press('Bulk search…') },
];
const moreFilters: readonly Opener[] = [
  { what: 'more filters', role: 'dialog', open: press(/^More filters/) },
];

/** Everything that opens over a list, each from the initial list. */
const overList: readonly Opener[] = [
  { what: 'the columns', role: 'dialog', open: press('Columns') },
  { what: 'the menu of a row', role: 'menu', open: press(/^Actions for/) },
  { what: 'the menu of the page', role: 'menu', open: press('More') },
  { what: 'an order with nothing selected', role: 'dialog', open: press('Activate…') },
  { what: 'the organisations', role: 'menu', open: press(/^Organisation: /) },
  { what: 'the account', role: 'menu', open: press(/Account/) },
  { what: 'the palette', role: 'dialog', open: (page) => page.keyboard.press('Control+k') },
];

const overSelection: readonly Opener[] = [
  {
    what: 'all that can be done',
    role: 'menu',
    open: (page) =>
      selectionBar(page)
        .getByRole('button', { name: /More|Actions/ })
        .click(),
  },
];

const check = async (page: Page, { what, role, open }: Opener): Promise<void> => {
  await open(page);
  const opened = page.getByRole(role).filter({ visible: true }).last();
  await expect(opened, what).toBeVisible();
  await expect(page.locator('[aria-busy="true"]').filter({ visible: true })).toHaveCount(0);
  expect(await accessibilityProblems(page, { part: opened }), what).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(opened, what).toBeHidden();
};

for (const { width, colorScheme } of [
  { width: 1440, colorScheme: 'light' },
  { width: 1024, colorScheme: 'dark' },
  { width: 390, colorScheme: 'dark' },
] as const) {
  test(`dialogs and menus are accessible: ${width} px, ${colorScheme}`, async ({ page }) => {
    test.setTimeout(300_000);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await signIn(page);
    await resize(page, width);
    await visit(page, 'simCard?size=10&lifecycle=active');
    for (const opening of [...(width === 1440 ? filters : moreFilters), ...overList])
      await check(page, opening);
    if (width === 390) await check(page, { what: 'the menu', role: 'dialog', open: press('Open menu') });
    await page
      .getByRole('checkbox', { name: /^Select \d/ })
      .filter({ visible: true })
      .first()
      .check();
    for (const opening of overSelection) await check(page, opening);
    for (const name of ['Suspend', 'Tags', 'Transfer', 'Change bundle']) {
      const open = async (): Promise<void> => {
        const button = selectionBar(page).getByRole('button', { name, exact: true });
        if (await button.isVisible()) return button.click();
        await selectionBar(page)
          .getByRole('button', { name: /More|Actions/ })
          .click();
        await page.getByRole('menuitem', { name, exact: true }).click();
      };
      await check(page, { what: name, role: 'dialog', open });
    }
  });
}

test('dialogs on a phone fit its width, even with long device names', async ({ page }) => {
  await page.route('**/cube/sim/list/es', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replaceAll(
      /"device_name":"[^"]*"/g,
      `"device_name":"${'W'.repeat(60)}"`,
    );
    await route.fulfill({ response, body });
  });
  await signIn(page);
  await resize(page, 390);
  await visit(page, 'cdrCard?size=10');
  await press('Export')(page);
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Export' })).toBeInViewport({ ratio: 1 });
  expect(await overflowWidth(page)).toBe(0);
  await page.keyboard.press('Escape');
  await visit(page, 'workFlowOperation');
  await press('Try it out')(page);
  const drawer = page.getByRole('dialog', { name: 'Try it out' });
  await expect(drawer.getByTitle(/WWW/)).toBeInViewport({ ratio: 1 });
});

test('an opened audit entry fits a phone', async ({ page }) => {
  await signIn(page);
  await resize(page, 390);
  await visit(page, 'setCard?tab=audit&size=10');
  // The sign-in itself is the newest entry with a trace id, which takes two lines.
  await page.getByRole('link', { name: 'Signed in' }).first().click();
  const drawer = page.getByRole('dialog', { name: 'Signed in' });
  await expect(drawer.getByRole('button', { name: 'Copy Trace ID' })).toBeInViewport({ ratio: 1 });
  expect(await drawer.evaluate(widestExcess)).toBe(0);
});

/** Pixels by which an element, or the widest one in it, is wider than its place. */
const widestExcess = (element: Element): number =>
  Math.max(
    ...[element, ...element.querySelectorAll('*')]
      .filter((part) => getComputedStyle(part).overflowX === 'auto')
      .map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
  );
