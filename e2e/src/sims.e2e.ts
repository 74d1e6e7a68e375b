import { randomInt } from 'node:crypto';
import { expect, type Page, test } from '@playwright/test';
import { demo, open, signIn, switchTo, waitUntilLoaded } from './console.ts';
import {
  confirmDialog,
  downloadedFile,
  finishedTask,
  forBackgroundWork,
  listedSims,
  messages,
  openSims,
  selectionBar,
  selectSims,
  visibleText,
} from './sims.ts';

test('two selected SIMs get tags and a device name', async ({ page }) => {
  test.setTimeout(180_000);
  const tag = `s-${randomInt(1e6)}`;
  const name = `Story device ${randomInt(1e6)}`;
  await signIn(page);
  await openSims(page, { lifecycle: ['active'] });
  const iccids = (await listedSims(page)).slice(0, 2);
  await selectSims(page, iccids);
  await selectionBar(page).getByRole('button', { name: 'Tags' }).click();
  await page.getByLabel('Add tags').fill(`${tag},`);
  await expect(page.getByRole('dialog')).toContainText('Tags of 2 SIMs will change.');
  await finishedTask(page, await confirmDialog(page, 'Change 2 SIMs'));

  await openSims(page, { tags: [tag] });
  expect(new Set(await listedSims(page))).toEqual(new Set(iccids));
  await selectSims(page, iccids);
  await selectionBar(page).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Device name' }).click();
  await page.getByRole('textbox', { name: 'Device name' }).fill(name);
  await expect(page.getByRole('dialog')).toContainText('The device name of 2 SIMs will be set.');
  await finishedTask(page, await confirmDialog(page, 'Name 2 SIMs'));
  await openSims(page, { tags: [tag] });
  await expect(page.getByRole('row').filter({ hasText: name })).toHaveCount(2);
});

test('a suspension is reported in a message that survives a reload and can undo it', async ({ page }) => {
  test.setTimeout(180_000);
  await signIn(page);
  await openSims(page, { lifecycle: ['active'] });
  const iccids = (await listedSims(page)).slice(0, 2);
  await selectSims(page, iccids);
  await selectionBar(page).getByRole('button', { name: 'Suspend' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend 2 SIMs', exact: true }).click();
  const message = messages(page);
  await expect(message.getByText(/^Suspend SIMs T\d+ is done\./)).toBeVisible(forBackgroundWork);
  await expect(message).toContainText('2 done');
  await message.getByRole('button', { name: 'Undo' }).focus();
  await page.reload();
  await message.getByRole('link', { name: 'Show these SIMs' }).click();
  await expect(page).toHaveURL(/simCard\?task=T\d+/);
  await waitUntilLoaded(page);
  await expect.poll(async () => new Set(await listedSims(page))).toEqual(new Set(iccids));
  await expect(page.getByRole('row').filter({ hasText: 'Paused' })).toHaveCount(2);
  await page.keyboard.press('F8');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(message.getByText(/^Undo changes T\d+ is done\./)).toBeVisible(forBackgroundWork);
  await expect(message.getByRole('button', { name: 'Redo' })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'Paused' })).toHaveCount(0, forBackgroundWork);
  await message.getByRole('link', { name: 'Open' }).click();
  const drawer = page.getByRole('dialog', { name: /^Task T/ });
  await expect(drawer.getByText('Undoes')).toBeVisible();
  await expect(drawer.getByRole('button', { name: 'Redo' })).toBeVisible();
});

test('a SIM is transferred by file, reported, and found in its new organisation', async ({ page }) => {
  test.setTimeout(180_000);
  await signIn(page);
  // Members of a pool can't be transferred, and meters are not in a pool.
  await openSims(page, { lifecycle: ['active'], search: ['Meter'] });
  const [iccid = ''] = await listedSims(page);
  await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Transfer by file…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Transfer SIMs' });
  await dialog.getByLabel('Target organisation').fill('Iberia');
  await page.getByTitle('Acme Mobility Iberia (ACME-IBERIA)').click();
  await dialog.locator('input[type="file"]').setInputFiles({
    name: 'move.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`ICCID\r\n${iccid}\r\n`),
  });
  await expect(dialog).toContainText('1 SIM will be transferred.');
  const drawer = await finishedTask(page, await confirmDialog(page, 'Transfer 1 SIM'));
  await drawer.getByRole('button', { name: /^Download report/ }).click();
  const report = await downloadedFile(page, () => page.getByRole('menuitem', { name: 'CSV' }).click());
  expect(report.toString('utf8')).toContain(iccid);

  await open(page, `simCard/${iccid}`);
  await expect(visibleText(page, 'SIM not found')).toBeVisible();
  await open(page, 'simCard');
  await switchTo(page, 'Acme Mobility Iberia');
  await open(page, `simCard?search=${iccid}`);
  await expect(page.getByRole('link', { name: iccid })).toBeVisible();
});

test('selected SIMs are transferred to another organisation and listed there', async ({ page }) => {
  test.setTimeout(180_000);
  await signIn(page);
  await openSims(page, { lifecycle: ['paused'], search: ['Meter'] });
  const iccids = (await listedSims(page)).slice(0, 2);
  await selectSims(page, iccids);
  await selectionBar(page).getByRole('button', { name: 'Transfer' }).click();
  const dialog = page.getByRole('dialog', { name: 'Transfer SIMs' });
  await dialog.getByLabel('Target organisation').fill('Iberia');
  await page.getByTitle('Acme Mobility Iberia (ACME-IBERIA)').click();
  await expect(dialog).toContainText('2 SIMs will be transferred.');
  const drawer = await finishedTask(page, await confirmDialog(page, 'Transfer 2 SIMs'));
  await expect(drawer.locator('dl')).toContainText('2 of 2');

  await open(page, 'simCard');
  await switchTo(page, 'Acme Mobility Iberia');
  for (const iccid of iccids) {
    await open(page, `simCard/${iccid}?tab=events`);
    await expect(page.getByRole('row').filter({ hasText: 'Transferred' }).first()).toBeVisible();
  }
});

test('selected SIMs get notes and are found by them', async ({ page }) => {
  test.setTimeout(180_000);
  const notes = `roof cabinet ${randomInt(1e9)}`;
  await signIn(page);
  await openSims(page, { lifecycle: ['active'] });
  const iccids = (await listedSims(page)).slice(0, 2);
  await selectSims(page, iccids);
  await selectionBar(page).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Notes' }).click();
  await page.getByRole('textbox', { name: 'Notes' }).fill(notes);
  await expect(page.getByRole('dialog')).toContainText('The notes of 2 SIMs will be set.');
  await finishedTask(page, await confirmDialog(page, 'Save for 2 SIMs'));
  await openSims(page, { search: [notes] });
  expect(new Set(await listedSims(page))).toEqual(new Set(iccids));
});

test('an upload of SIM info reports rows with errors and applies the others', async ({ page }) => {
  test.setTimeout(180_000);
  const name = `Uploaded ${randomInt(1e9)}`;
  const tag = `u-${randomInt(1e6)}`;
  await signIn(page);
  await openSims(page, { lifecycle: ['active'] });
  const iccids = (await listedSims(page)).slice(0, 3);
  const rows = [
    ['ICCID', 'Device name', 'Notes', 'Tags'],
    [iccids[0], name, 'from a file', tag],
    [iccids[1], name, '', tag],
    [iccids[2], 'x'.repeat(61), '', ''],
    ['89990000000000000001', name, '', ''],
  ];
  await page.getByRole('main').getByRole('button', { name: 'Upload info' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upload SIM info' });
  await dialog.locator('input[type="file"]').setInputFiles({
    name: 'info.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(rows.map((row) => row.join(',')).join('\r\n')),
  });
  await expect(dialog).toContainText('2 SIMs will be changed.');
  await expect(dialog).toContainText('2 rows have errors and will be skipped');
  await expect(dialog).toContainText('At most 60 characters');
  await expect(dialog).toContainText('The ICCID does not belong to this organisation.');
  const reference = await confirmDialog(page, 'Change 2 SIMs');
  await open(page, `taskcenter?task=${reference}`);
  const drawer = page.getByRole('dialog', { name: `Task ${reference}` });
  await expect(drawer.locator('dl').getByText('Issues', { exact: true })).toBeVisible(forBackgroundWork);
  await openSims(page, { tags: [tag] });
  expect(new Set(await listedSims(page))).toEqual(new Set(iccids.slice(0, 2)));
  await expect(page.getByRole('row').filter({ hasText: name })).toHaveCount(2);
});

/** Tries pre-activated SIMs until one may be activated. @returns its ICCID; its dialog is open */
const activatable = async (page: Page): Promise<string> => {
  const dialog = page.getByRole('dialog', { name: 'Activate SIMs' });
  for (const iccid of await listedSims(page)) {
    await selectSims(page, [iccid]);
    await selectionBar(page).getByRole('button', { name: 'Activate' }).click();
    const preview = dialog.getByRole('region', { name: 'Preview' });
    await expect(preview).toContainText(/will be activated|would not change/);
    if (await preview.getByText('1 SIM will be activated.').isVisible()) return iccid;
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('checkbox', { name: `Select ${iccid}` }).uncheck();
  }
  throw new Error('No SIM can be activated');
};

test('a pre-activated SIM is activated', async ({ page }) => {
  test.setTimeout(180_000);
  await signIn(page);
  await openSims(page, { lifecycle: ['pre-activated'] });
  const iccid = await activatable(page);
  const drawer = await finishedTask(page, await confirmDialog(page, 'Activate 1 SIM'));
  await drawer.getByRole('link', { name: iccid }).click();
  await expect(visibleText(page, /^active$/i)).toBeVisible(forBackgroundWork);
  await expect(page.getByRole('button', { name: 'Suspend' })).toBeVisible();
});

test('a person with only read permission is offered no operations', async ({ page }) => {
  await signIn(page, { email: demo.user });
  await openSims(page, { lifecycle: ['active'] });
  const [iccid = ''] = await listedSims(page);
  await selectSims(page, [iccid]);
  await selectionBar(page).getByRole('button', { name: 'Actions' }).click();
  await expect(page.getByRole('menuitem', { name: 'Export' })).toBeVisible();
  const operations = /^(Activate|Suspend|Resume|Reset|Tags|Transfer|Device name|Notes|Upload info)/;
  await expect(page.getByRole('menuitem', { name: operations })).toHaveCount(0);
  await expect(page.getByRole('main').getByRole('button', { name: operations })).toHaveCount(0);
  await open(page, `simCard/${iccid}`);
  await expect(page.getByRole('button', { name: 'Diagnose' })).toBeVisible();
  await waitUntilLoaded(page);
  await expect(page.getByRole('main').getByRole('button', { name: operations })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'More actions for this SIM' })).toHaveCount(0);
});

test('a filtered list is exported to a file in the task centre', async ({ page }) => {
  await signIn(page);
  await openSims(page, { lifecycle: ['terminated'] });
  const listed = await listedSims(page);
  await page.getByRole('main').getByRole('button', { name: 'Export', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Export SIMs' })).toBeVisible();
  const reference = await confirmDialog(page, 'Export');
  const drawer = await finishedTask(page, reference);
  const file = await downloadedFile(page, () =>
    drawer.getByRole('button', { name: 'Download report' }).click(),
  );
  const lines = file.toString('utf8').trim().split(/\r?\n/);
  const rows = lines.slice(1);
  expect(lines[0]).toContain('ICCID');
  expect(rows.every((row) => /terminated/i.test(row))).toBe(true);
  for (const iccid of listed) expect(rows.filter((row) => row.includes(iccid))).toHaveLength(1);
  await open(page, 'taskcenter');
  const row = page.getByRole('row').filter({ hasText: reference });
  const quantity = rows.length.toLocaleString('en-US');
  await expect(row).toContainText('Export SIMs');
  await expect(row).toContainText('Done');
  await expect(row).toContainText(`${quantity} of ${quantity}`);
});

test('a diagnose report is shared with a reader without an account, also as PDF', async ({
  page,
  browser,
}) => {
  await signIn(page);
  await openSims(page, { lifecycle: ['active'] });
  const [iccid = ''] = await listedSims(page);
  await open(page, `simCard/${iccid}`);
  await page.getByRole('button', { name: 'Diagnose' }).click();
  const drawer = page.getByRole('dialog', { name: `Diagnosis of ${iccid}` });
  await expect(drawer.getByRole('list', { name: 'Checks' }).getByRole('listitem')).not.toHaveCount(0);
  await drawer.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('button', { name: 'Create link' }).click();
  const link = await drawer.getByRole('textbox', { name: 'Link to the report' }).inputValue();

  const stranger = await browser.newContext();
  const report = await stranger.newPage();
  await report.goto(link);
  await expect(report.getByRole('heading', { level: 1, name: iccid })).toBeVisible();
  await expect(report.getByRole('list', { name: 'Checks' }).getByRole('listitem')).not.toHaveCount(0);
  const pdf = await downloadedFile(report, () =>
    report.getByRole('button', { name: 'Download PDF' }).click(),
  );
  expect(pdf.subarray(0, 4).toString('latin1')).toBe('%PDF');
  await report.goto(`${link.slice(0, -4)}AAAA`);
  await expect(report.getByText('This report is no longer available')).toBeVisible();
  await stranger.close();
});

test('bulk search lists what was not found', async ({ page }) => {
  await signIn(page);
  await openSims(page);
  const known = (await listedSims(page)).slice(0, 2);
  const unknown = ['89990000000000000001', '89990000000000000002'];
  await page.getByRole('button', { name: 'Bulk search…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Bulk search' });
  await dialog.getByLabel('Paste the list').fill([...known, ...unknown, known[0]].join('\n'));
  await expect(dialog).toContainText('5 identifiers');
  await dialog.getByRole('button', { name: 'Find' }).click();
  for (const fact of ['2 SIMs found', '2 not found', '1 duplicate skipped']) {
    await expect(dialog.getByRole('listitem').filter({ hasText: fact })).toBeVisible();
  }
  await expect(dialog.getByRole('region', { name: 'Not found' }).locator('pre')).toHaveText(
    unknown.join('\n'),
  );
  await dialog.getByRole('button', { name: 'Show 2 SIMs' }).click();
  await expect(page.getByRole('link', { name: /^\d{18,20}$/ })).toHaveCount(2);
  expect(new Set(await listedSims(page))).toEqual(new Set(known));
});
