import { expect, test } from '@playwright/test';
import { demo, open, signIn, waitUntilLoaded } from './console.ts';
import { forBackgroundWork, listedSims } from './sims.ts';

/** Commands that do not occur in the history of the demonstration's meters. */
const stories = [
  {
    language: 'en-US',
    command: 'LOCK – now',
    correctedText: 'LOCK - now',
    answer: 'OK locked',
    compose: 'New message',
    to: 'ICCIDs of the recipients',
    text: 'Text',
    correction: 'Use “-”: GSM-7, 1 part',
    send: 'Send to 6 SIMs',
    confirm: 'Send this message?',
    quota: 'Quota of the month',
    replies: /^Replies/,
    after: /^reply after/,
  },
  {
    language: 'es-ES',
    command: 'REBOOT – ya',
    correctedText: 'REBOOT - ya',
    answer: 'OK rebooting',
    compose: 'Mensaje nuevo',
    to: 'ICCID de los destinatarios',
    text: 'Texto',
    correction: 'Usar «-»: GSM-7, 1 parte',
    send: 'Enviar a 6 SIM',
    confirm: '¿Enviar este mensaje?',
    quota: 'Cuota del mes',
    replies: /^Respuestas/,
    after: /^respuesta tras/,
  },
] as const;

for (const story of stories) {
  const { language } = story;
  test(`a message is written, corrected, confirmed, sent and answered: ${language}`, async ({ page }) => {
    await signIn(page, { email: demo.operator, language });
    // Other tests transfer and terminate SIMs of the first page in the meantime.
    await open(page, 'simCard?lifecycle=active&search=Meter&page=2', language);
    const iccids = (await listedSims(page)).slice(0, 6);

    await open(page, 'message?last=today', language);
    await waitUntilLoaded(page);
    await page.getByRole('button', { name: story.compose, exact: true }).click();
    await page.getByLabel(story.to).fill(iccids.join('\n'));
    await page.getByLabel(story.text, { exact: true }).fill(story.command);
    await page.getByRole('button', { name: story.correction }).click();
    await expect(page.getByLabel(story.text, { exact: true })).toHaveValue(story.correctedText);
    await page.getByRole('button', { name: story.send }).click();
    const dialog = page.getByRole('dialog', { name: story.confirm });
    await expect(dialog).toContainText(iccids[0] ?? '');
    await expect(dialog).toContainText(story.quota);
    await dialog.getByRole('button', { name: story.send }).click();
    await expect(dialog).toBeHidden();

    await page.getByRole('tab', { name: story.replies }).click();
    const rows = page.getByRole('row').filter({ hasText: new RegExp(iccids.join('|')) });
    const answer = rows.filter({ hasText: story.answer }).first();
    await expect(answer).toBeVisible(forBackgroundWork);
    await answer.getByRole('link').click();
    const conversation = page.getByRole('complementary').filter({ hasText: story.answer });
    await expect(conversation.getByText(story.correctedText).first()).toBeVisible();
    await expect(conversation.getByText(story.after).first()).toBeVisible();
  });
}
