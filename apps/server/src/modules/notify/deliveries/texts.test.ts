import { languages, limits } from '@simcube/contract';
import { countText } from '@simcube/smpp/text';
import { expect, test } from 'vitest';
import { emailOf, shortTextOf } from './texts.ts';

const fields = { id: '7', rule: 'Camera stop', time: 'now', sims: 1, iccid: '8934', comparison: '' };
const own = { subject: 'Ojo', text: 'Primera\nSegunda', sms: 'Ojo: 8934' };

test('the own words of an organisation stand in mails and short messages, for readers of other languages too', () => {
  const told = { ...fields, texts: { 'es-ES': own } };
  for (const language of ['es-ES', 'zh-CN'] as const) {
    const { subject, preview, title, body } = emailOf('autoflow.fired', told, language).content;
    expect([subject, preview, title, body]).toEqual(['Ojo', 'Primera', 'Ojo', 'Primera\nSegunda']);
    expect(shortTextOf('autoflow.fired', told, language)).toBe('Ojo: 8934');
  }
});

test('without them the product’s do', () => {
  expect(emailOf('autoflow.fired', fields, 'en-US').content.subject).toBe('Camera stop fired (SIMs: 1)');
});

test('what was compared is said in the words of the reader', () => {
  const comparisons = {
    'en-US': 'Active → Paused',
    'es-ES': 'Activa → Pausada',
    'zh-CN': '激活',
    'zh-TW': '啟用',
  };
  const told = { ...fields, comparison: 'active → paused', comparisons };
  expect(emailOf('autoflow.fired', told, 'es-ES').content.body).toContain('Activa → Pausada');
  expect(shortTextOf('autoflow.fired', told, 'zh-TW')).toContain('啟用');
});

test('a short message has the specified maximum of characters, and names two SIMs at most', () => {
  const iccid = `${Array.from({ length: 10 }, (_, index) => `8986001230000000000${index}`).join(', ')} …`;
  const gathered = { ...fields, rule: 'R'.repeat(50), sims: 50, iccid, comparison: '63.3 GB ≥ 50 GB' };
  for (const language of languages) {
    const text = shortTextOf('autoflow.fired', gathered, language);
    expect([...text].length).toBeLessThanOrEqual(limits.sms.content);
    expect(text.match(/8986/g)).toHaveLength(2);
  }
  const long = { ...gathered, texts: { 'es-ES': { ...own, sms: '😀'.repeat(limits.sms.content + 1) } } };
  const cut = shortTextOf('autoflow.fired', long, 'es-ES');
  expect(cut).toBe(`${'😀'.repeat(limits.sms.content - 3)}...`);
});

test('a short message with a figure takes no more parts than one without', () => {
  const comparisons = { 'en-US': '63.3 GB ≥ 50 GB', 'es-ES': '1234,50\u00a0€ ≥ 1000,00\u00a0€' };
  const fired = { ...fields, rule: 'Camera stop', comparison: '63.3 GB ≥ 50 GB', comparisons };
  expect(shortTextOf('autoflow.fired', fired, 'en-US')).toBe(
    'SimCube: Camera stop fired. SIMs: 1. ICCID: 8934. 63.3 GB >= 50 GB.',
  );
  expect(countText(shortTextOf('autoflow.fired', fired, 'es-ES'))).toMatchObject({ encoding: 'gsm7' });
});

test('a firing without a figure ends with its SIMs', () => {
  for (const language of languages) {
    const { body } = emailOf('autoflow.fired', fields, language).content;
    for (const text of [body, shortTextOf('autoflow.fired', fields, language)]) {
      expect(text).toMatch(/8934[.。]$/);
    }
  }
});

test('an error’s message as the reason ends with a single full stop', () => {
  const failed = { ...fields, code: 'CB-01-0010' };
  for (const language of languages) {
    const { body, preview } = emailOf('autoflow.failed', failed, language).content;
    for (const text of [body, preview, shortTextOf('autoflow.failed', failed, language)]) {
      expect(text).toMatch(/[^.。][.。]$/);
    }
  }
});

test('an error’s message has the values of its placeholders', () => {
  for (const language of languages) {
    const short = shortTextOf('autoflow.failed', { ...fields, code: 'CB-01-0017' }, language);
    expect(short).toContain('10');
    expect(short).not.toContain('{{');
  }
});

test('readers of a language without own words get those of the first of the product’s languages that has them', () => {
  const english = { ...own, subject: 'Look' };
  // The order in which the database returns the keys of a JSON object.
  const told = { ...fields, texts: { 'es-ES': own, 'en-US': english } };
  expect(emailOf('autoflow.fired', told, 'zh-CN').content.subject).toBe('Look');
});

/** The area of the console with the webhook, as the menu names it. */
const areas = { 'en-US': 'Developer', 'es-ES': 'Desarrollo', 'zh-CN': '开发者', 'zh-TW': '開發者' };

test.each(['target.failing', 'target.paused'] as const)(
  '%s of a webhook speaks of it and of its page',
  (kind) => {
    const failing = { target: 'hooks.example.test', address: 'hooks.example.test', fault: 'timeout' };
    for (const language of languages) {
      const ofWebhook = emailOf(kind, { ...failing, of: 'webhook' }, language);
      expect(ofWebhook.path).toBe('/developerView');
      expect(ofWebhook.content.title).toContain('ebhook');
      expect(ofWebhook.content.note).toContain(areas[language]);
      expect(shortTextOf(kind, { ...failing, of: 'webhook' }, language)).toContain('ebhook');
      const ofTarget = emailOf(kind, { ...failing, of: 'api' }, language);
      expect(ofTarget.path).toBe('/setCard?tab=groups');
      expect(ofTarget.content.title).not.toContain('ebhook');
    }
  },
);

test.each([
  ['CB-04-0011', 'enabled', 'The next run takes place as planned.'],
  ['CB-04-0011', 'ended', 'No further run is planned.'],
  ['CB-04-0011', 'disabled', 'The schedule is disabled'],
  ['CB-04-0012', undefined, 'The schedule is disabled'],
  ['CB-04-0011', undefined, 'The next run takes place as planned.'],
])(
  'a run that did not take place because of %s says what becomes of a schedule that is %s',
  (code, state, note) => {
    const missed = { id: '7', schedule: 'Nightly', time: 'now', runs: 1, code, state };
    expect(emailOf('schedule.missed', missed, 'en-US').content.note).toContain(note);
  },
);
