import { expect, type Page, test } from '@playwright/test';
import { webhookEventTypes } from '@simcube/contract/webhook';
import { accessibilityProblems, cutLists, type Judged, overflowWidth } from './accessibility.ts';
import { signIn, visit } from './console.ts';
import { bar, someIccid } from './sims.ts';

test.describe.configure({ mode: 'parallel' });

const heights = { 1440: 900, 1024: 768, 390: 844 } as const;
type Width = keyof typeof heights;
const resize = (page: Page, width: Width) => page.setViewportSize({ width, height: heights[width] });

interface Look {
  language: 'en-US' | 'zh-CN' | 'zh-TW' | 'es-ES';
  colorScheme: 'light' | 'dark';
  /**
   * At which widths pages are looked at, and what axe judges there. Another theme has other colours, another language the same
   * elements with other words, of which Spanish has the longest, and the width between has the elements of the widest.
   */
  widths: Partial<Record<Width, Judged | 'nothing'>>;
}
const looks: readonly Look[] = [
  { language: 'en-US', colorScheme: 'light', widths: { 1440: 'all', 1024: 'nothing', 390: 'all' } },
  { language: 'en-US', colorScheme: 'dark', widths: { 1440: 'colours' } },
  { language: 'zh-CN', colorScheme: 'light', widths: { 390: 'nothing' } },
  { language: 'zh-TW', colorScheme: 'light', widths: { 390: 'nothing' } },
  { language: 'es-ES', colorScheme: 'light', widths: { 1440: 'nothing', 390: 'nothing' } },
];

/** Lists last: from then on they stay in the page, out of sight. */
const pagesOf = (iccid: string): readonly string[] => [
  'analysis',
  'heatmap',
  'shared',
  'shared/1',
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
  'financeSimDetailsPage?id=1',
  'simCard',
];

/** Rows are alike: ten of a list say what all say, in a fraction of the time. */
const withFewRows = (path: string): string => `${path}${path.includes('?') ? '&' : '?'}size=10`;

for (const { language, colorScheme, widths } of looks) {
  const isJudged = Object.values(widths).some((rules) => rules !== 'nothing');
  const what = isJudged
    ? 'every page is accessible, free of raw keys and as wide as its window'
    : 'every page is free of raw keys and as wide as its window';
  test(`${what}: ${language}, ${colorScheme}`, async ({ page }) => {
    // Some fifty pages; axe takes seconds for each when the machine is busy.
    test.setTimeout(600_000);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await signIn(page);
    const iccid = await someIccid(page, language);
    // Loaded again, without the list.
    await page.goto(page.url().replace(/simCard.*/, 'analysis'));
    for (const path of pagesOf(iccid)) {
      await visit(page, withFewRows(path), language);
      for (const width of [1440, 1024, 390] as const) {
        const rules = widths[width];
        if (!rules) continue;
        await resize(page, width);
        // Charts follow their place in a frame of their own. Below the widest, lists scroll sideways in their place.
        const tooWide = async () => [
          await overflowWidth(page),
          ...(width === 1440 ? await cutLists(page) : []),
        ];
        await expect.poll(tooWide, `what scrolls sideways on ${path} at ${width}`).toEqual([0]);
        if (rules === 'nothing') continue;
        expect(await accessibilityProblems(page, rules), `${path} at ${width}`).toEqual([]);
      }
      expect(withoutEventTypes(await page.locator('body').textContent()), path).not.toMatch(
        /\b(shell|sim|sms|cdr|dashboard|identity|common|errors|account|organisation|audit|settings|task)\.[a-z]+\.?[a-zA-Z]*\b/,
      );
    }
  });
}

/** Types of events are shown by their names, which look like keys of phrases. */
const withoutEventTypes = (text: string | null): string =>
  webhookEventTypes.reduce((rest, type) => rest.replaceAll(type, ' '), text ?? '');

interface Opening {
  what: string;
  /** What is open then. */
  role: 'dialog' | 'menu' | 'listbox';
  by: (page: Page) => Promise<void>;
}

const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name }).filter({ visible: true }).first().click();
const inMenu = (button: string | RegExp, item: string) => async (page: Page) => {
  await press(button)(page);
  await page.getByRole('menuitem', { name: item, exact: true }).click();
};

/** Filters beside the search, and where there is no room for them. */
const filters: readonly Opening[] = [
  { what: 'the menu of filters', role: 'menu', by: press('+ Filter') },
  { what: 'a filter by words', role: 'dialog', by: inMenu('+ Filter', 'Tags') },
  { what: 'a filter by choice', role: 'dialog', by: inMenu('+ Filter', 'Connection') },
  { what: 'the advanced search', role: 'dialog', by: press('Advanced search') },
  { what: 'the search by list', role: 'dialog', by: press('Bulk search…') },
];
const moreFilters: readonly Opening[] = [
  { what: 'more filters', role: 'dialog', by: press(/^More filters/) },
];

/** All that opens over a list, each from the list as it was. */
const overList: readonly Opening[] = [
  { what: 'the columns', role: 'dialog', by: press('Columns') },
  { what: 'the menu of a row', role: 'menu', by: press(/^Actions for/) },
  { what: 'the menu of the page', role: 'menu', by: press('More') },
  { what: 'an order with nothing selected', role: 'dialog', by: press('Activate…') },
  { what: 'the organisations', role: 'menu', by: press(/^Organisation: /) },
  { what: 'the account', role: 'menu', by: press(/Account/) },
  { what: 'the palette', role: 'dialog', by: (page) => page.keyboard.press('Control+k') },
];

const overSelection: readonly Opening[] = [
  {
    what: 'all that can be done',
    role: 'menu',
    by: (page) =>
      bar(page)
        .getByRole('button', { name: /More|Actions/ })
        .click(),
  },
];

const check = async (page: Page, { what, role, by }: Opening): Promise<void> => {
  await by(page);
  const opened = page.getByRole(role).filter({ visible: true }).last();
  await expect(opened, what).toBeVisible();
  await expect(page.locator('[aria-busy="true"]').filter({ visible: true })).toHaveCount(0);
  expect(await accessibilityProblems(page), what).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(opened, what).toBeHidden();
};

for (const { width, colorScheme } of [
  { width: 1440, colorScheme: 'light' },
  { width: 1024, colorScheme: 'dark' },
  { width: 390, colorScheme: 'dark' },
] as const) {
  test(`what opens over a page is accessible: ${width} px, ${colorScheme}`, async ({ page }) => {
    test.setTimeout(300_000);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await signIn(page);
    await resize(page, width);
    await visit(page, 'simCard?size=10&lifecycle=active');
    for (const opening of [...(width === 1440 ? filters : moreFilters), ...overList])
      await check(page, opening);
    if (width === 390) await check(page, { what: 'the menu', role: 'dialog', by: press('Open menu') });
    await page
      .getByRole('checkbox', { name: /^Select \d/ })
      .filter({ visible: true })
      .first()
      .check();
    for (const opening of overSelection) await check(page, opening);
    for (const name of ['Suspend', 'Tags', 'Transfer', 'Change bundle']) {
      const by = async (): Promise<void> => {
        const button = bar(page).getByRole('button', { name, exact: true });
        if (await button.isVisible()) return button.click();
        await bar(page)
          .getByRole('button', { name: /More|Actions/ })
          .click();
        await page.getByRole('menuitem', { name, exact: true }).click();
      };
      await check(page, { what: name, role: 'dialog', by });
    }
  });
}
