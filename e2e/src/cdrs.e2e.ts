import { expect, test } from '@playwright/test';
import { accessibilityProblems } from './accessibility.ts';
import { demo, open, signIn, waitUntilLoaded } from './console.ts';

const stories = [
  {
    language: 'en-US',
    menu: 'CDRs',
    sums: 'Sums of all records found',
    session: 'Records of this session',
    onMap: 'This cell on the map',
    map: /^World map/,
    charts: 'Charts',
    byRadio: 'By radio type',
    button: 'Export',
    form: 'Export these records',
    country: 'Spain',
    task: 'Export CDRs',
    done: 'Done',
  },
  {
    language: 'es-ES',
    menu: 'CDR',
    sums: 'Sumas de todos los registros encontrados',
    session: 'Registros de esta sesión',
    onMap: 'Esta celda en el mapa',
    map: /^Mapa/,
    charts: 'Gráficos',
    byRadio: 'Por tipo de radio',
    button: 'Exportar',
    form: 'Exportar estos registros',
    country: 'España',
    task: 'Exportar CDR',
    done: 'Terminada',
  },
] as const;

for (const story of stories) {
  const { language, menu, sums, session, button, form, country, task, done } = story;
  test(`CDRs are filtered, summed, opened, found on the map and exported: ${language}`, async ({ page }) => {
    await signIn(page, { email: demo.user, language });
    await open(page, 'analysis', language);
    await page.getByRole('link', { name: menu, exact: true }).click();
    await waitUntilLoaded(page);
    await open(page, 'cdrCard?country=ES', language);
    await waitUntilLoaded(page);
    await expect(page.getByRole('button', { name: new RegExp(country) })).toBeVisible();

    await page.getByRole('link', { name: story.charts, exact: true }).click();
    await page.getByRole('list', { name: story.byRadio }).getByRole('link', { name: '4G' }).click();
    await expect(page).toHaveURL(/cdrCard.*country=ES.*radio=4G/);
    await waitUntilLoaded(page);

    await page.locator('tbody tr').first().click();
    await page.getByRole('link', { name: story.onMap }).click();
    const map = page.getByRole('img', { name: story.map });
    await expect(map.locator('[data-mark]')).toBeVisible();
    await waitUntilLoaded(page);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.goBack();
    await waitUntilLoaded(page);

    await page.getByRole('link', { name: session }).click();
    await expect(page).toHaveURL(/session=/);
    await waitUntilLoaded(page);
    // The number above the rows equals the total of the pages.
    await expect(async () => {
      const records = await page.getByRole('region', { name: sums }).locator('dd').first().innerText();
      const pages = page.getByRole('main').getByRole('navigation').last();
      await expect(pages).toContainText(records, { timeout: 1000 });
    }).toPass();
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.getByRole('button', { name: button, exact: true }).click();
    const dialog = page.getByRole('dialog', { name: form });
    await expect(dialog).toBeVisible();
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole('button', { name: button, exact: true }).click();
    await expect(dialog).toBeHidden();
    await open(page, 'taskcenter', language);
    await expect(page.getByRole('row').filter({ hasText: task }).first()).toContainText(done, {
      timeout: 60_000,
    });
  });
}

test('an opened record fits the visible part of a list that scrolls horizontally', async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  await signIn(page, { email: demo.user });
  await open(page, 'cdrCard?size=10');
  await waitUntilLoaded(page);
  await page.locator('tbody tr').first().click();
  await waitUntilLoaded(page);
  const links = page.getByRole('region', { name: 'See also' }).getByRole('link');
  await expect(links.first()).toBeInViewport({ ratio: 1 });
});
