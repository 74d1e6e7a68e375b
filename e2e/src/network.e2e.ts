import { expect, type Locator, type Page, test } from '@playwright/test';
import { demo, open, signIn, waitUntilLoaded } from './console.ts';
import {
  confirmDialog,
  finishedTask,
  listedSims,
  openSims,
  selectionBar,
  selectSims,
  visibleText,
} from './sims.ts';

// Both tests wait for a device to retry, so they run in parallel, each with a separate SIM.
test.describe.configure({ mode: 'parallel' });

/** Maximum time from the request to the worker, and back to the page. */
const afterRequest = { timeout: 20_000 };
/** Maximum time from the network's reply to the display. */
const afterReply = { timeout: 2000 };
/** A rejected device waits six to ten seconds before it retries, longer the next time, and then for a free place at the gateway. */
const afterRetry = { timeout: 120_000 };

test('a SIM suspended in the list is disconnected within two seconds, rejected, and accepted again when resumed', async ({
  page,
  context,
}) => {
  test.setTimeout(300_000);
  await signIn(page, { email: demo.operator });
  const sim = await context.newPage();
  const iccid = await onlineSim(page, sim, 'first');
  await sim.evaluate(() => {
    (globalThis as { untouched?: boolean }).untouched = true;
  });

  await page.bringToFront();
  await selectSims(page, [iccid]);
  await selectionBar(page).getByRole('button', { name: 'Suspend' }).click();
  await expect(page.getByRole('dialog', { name: 'Suspend SIMs' })).toContainText('1 SIM will be suspended.');
  const suspension = await confirmDialog(page, 'Suspend 1 SIM');
  await expect(visibleText(sim, 'paused')).toBeVisible(afterRequest);
  await expect(visibleText(sim, 'offline')).toBeVisible(afterReply);
  await finishedTask(page, suspension);
  await sim.bringToFront();

  const events = sim.getByRole('table', { name: 'Events of this SIM' });
  for (const event of ['Disconnect sent', 'Session ended', 'Connection rejected']) {
    await expect(events.getByRole('row').filter({ hasText: event }).first()).toBeVisible(afterRequest);
  }
  expect(await secondsBetween(events, 'Suspended', 'Disconnect sent')).toBeLessThan(2);
  const rejection = events.getByRole('row').filter({ hasText: 'Connection rejected' }).first();
  await expect(rejection).toContainText('suspended');
  await sim.getByRole('tab', { name: 'Sessions' }).click();
  await expect(visibleText(sim, 'disconnected by an administrator')).toBeVisible();

  await sim.getByRole('button', { name: 'Diagnose' }).click();
  const report = sim.getByRole('dialog', { name: `Diagnosis of ${iccid}` });
  const check = (name: string) => report.getByRole('listitem').filter({ hasText: new RegExp(`^${name}`) });
  await expect(check('Authorisation')).toContainText('it would be rejected: the SIM is paused');
  await expect(check('Rejections')).toContainText('Reasons: the SIM is paused');
  await sim.keyboard.press('Escape');
  await expect(report).toBeHidden();

  await sim.getByRole('button', { name: 'Resume' }).click();
  await expect(sim.getByRole('dialog', { name: /^Resume / })).toContainText('1 SIM will be resumed.');
  await confirmDialog(sim, 'Resume 1 SIM');
  await expect(visibleText(sim, /^active$/i)).toBeVisible(afterRequest);
  await expect(sim.getByRole('button', { name: 'Suspend' })).toBeVisible();
  await expect(visibleText(sim, 'online')).toBeVisible(afterRetry);
  expect(await sim.evaluate(() => (globalThis as { untouched?: boolean }).untouched)).toBe(true);
});

test('a SIM that is reset loses its session and reconnects', async ({ page, context }) => {
  test.setTimeout(300_000);
  await signIn(page, { email: demo.operator });
  const sim = await context.newPage();
  await onlineSim(page, sim, 'last');
  const sessions = sim.getByRole('row').filter({ hasText: 'Session started' });
  const before = await sessions.count();
  await sim.getByRole('button', { name: 'Reset' }).click();
  await expect(sim.getByRole('dialog', { name: /^Reset / })).toContainText('1 SIM will be reset.');
  const reset = await confirmDialog(sim, 'Reset 1 SIM');
  await expect(sim.getByRole('row').filter({ hasText: 'Reset' }).first()).toBeVisible(afterRequest);
  await expect(sim.getByRole('row').filter({ hasText: 'Disconnect sent' }).first()).toBeVisible(afterRequest);
  await expect.poll(() => sessions.count(), afterRetry).toBeGreaterThan(before);
  await expect(visibleText(sim, 'online')).toBeVisible(afterRetry);
  await sim.getByRole('tab', { name: 'Sessions' }).click();
  await expect(visibleText(sim, 'disconnected by an administrator')).toBeVisible();
  await finishedTask(page, reset);
});

/** Opens listed SIMs, from the first or the last, until one has a lasting session. @returns its ICCID; its events are open on `sim` */
const onlineSim = async (page: Page, sim: Page, from: 'first' | 'last'): Promise<string> => {
  await openSims(page, { lifecycle: ['active'], connection: ['online'] });
  const listed = await listedSims(page);
  for (const iccid of from === 'first' ? listed : listed.toReversed()) {
    await open(sim, `simCard/${iccid}?tab=events`);
    await waitUntilLoaded(sim);
    if (await visibleText(sim, 'online').isVisible()) return iccid;
  }
  throw new Error('No SIM is online');
};

/** Seconds between the newest events of these names; the page shows times to the second. */
const secondsBetween = async (events: Locator, first: string, second: string): Promise<number> => {
  const at = async (name: string): Promise<number> => {
    const row = events.getByRole('row').filter({ hasText: name }).first();
    return Date.parse((await row.locator('time').getAttribute('datetime')) ?? '') / 1000;
  };
  return (await at(second)) - (await at(first));
};
