import { languages } from '@simcube/contract';
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

test('an error’s message as the reason ends with a single full stop', () => {
  const failed = { ...fields, code: 'CB-01-0010' };
  for (const language of languages) {
    const { body, preview } = emailOf('autoflow.failed', failed, language).content;
    for (const text of [body, preview, shortTextOf('autoflow.failed', failed, language)]) {
      expect(text).toMatch(/[^.。][.。]$/);
    }
  }
});
