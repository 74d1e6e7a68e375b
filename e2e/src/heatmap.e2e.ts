import { expect, test } from '@playwright/test';
import { accessibilityProblems } from './accessibility.ts';
import { demo, open, signIn, waitUntilLoaded } from './console.ts';

const stories = [
  {
    language: 'en-US',
    menu: 'Heatmap',
    byCountry: 'By country',
    country: 'Germany',
    only: 'Only Germany',
    cells: 'Cells in Germany',
    sessions: 'Sessions',
    play: 'Play day by day',
    pause: 'Pause',
    last: 'Last day',
    cdrs: 'CDRs',
    records: 'Sums of all records found',
  },
  {
    language: 'es-ES',
    menu: 'Mapa de calor',
    byCountry: 'Por país',
    country: 'Alemania',
    only: 'Solo Alemania',
    cells: 'Celdas de Alemania',
    sessions: 'Sesiones',
    play: 'Reproducir día a día',
    pause: 'Detener',
    last: 'Último día',
    cdrs: 'CDR',
    records: 'Sumas de todos los registros encontrados',
  },
] as const;

for (const { language, country, ...words } of stories) {
  test(`the heatmap is played, narrowed to a country and its cells, and leads to CDRs: ${language}`, async ({
    page,
  }) => {
    await signIn(page, { email: demo.user, language });
    await open(page, 'heatmap', language);
    await waitUntilLoaded(page);
    await expect(page).toHaveTitle(new RegExp(words.menu));
    const list = page.getByRole('region', { name: words.byCountry });

    // Plays day by day; all days are shown again when it is stopped and the span is widened.
    await page.getByRole('button', { name: words.play }).click();
    await page.getByRole('button', { name: words.pause }).click();
    await page.getByRole('slider', { name: words.last }).press('End');
    await waitUntilLoaded(page);

    await page.getByText(words.sessions, { exact: true }).first().click();
    await expect(page).toHaveURL(/metric=sessions/);
    await waitUntilLoaded(page);
    await list.getByRole('button', { name: country }).click();
    const card = page.getByRole('region', { name: country, exact: true });
    await expect(card).toBeVisible();
    expect(await accessibilityProblems(page)).toEqual([]);

    await card.getByRole('link', { name: words.only }).click();
    await expect(page).toHaveURL(/country=DE/);
    const cells = page.getByRole('region', { name: words.cells });
    await expect(cells.locator('tbody tr').first()).toBeVisible();
    await cells.getByRole('link').first().click();
    await expect(page).toHaveURL(/at=/);
    await waitUntilLoaded(page);
    expect(await accessibilityProblems(page)).toEqual([]);

    // Opened by its address, where no card is open.
    await open(page, 'heatmap?country=DE', language);
    await waitUntilLoaded(page);
    await list.getByRole('button', { name: country }).click();
    await card.getByRole('link', { name: words.cdrs, exact: true }).click();
    await expect(page).toHaveURL(/cdrCard.*country=DE/);
    await expect(page.getByRole('region', { name: words.records })).toBeVisible();
  });
}
