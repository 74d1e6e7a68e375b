import { expect, test } from 'vitest';
import { type FiredMessage, fillTexts } from './template-texts.rules.ts';

const message: FiredMessage = {
  rule: 'Camera stop',
  organisation: 'Acme',
  trigger: 'data-usage',
  time: '2026-11-20 10:05 UTC',
  iccids: ['89340700000023553065', '89340700000023553073'],
  measured: { value: 2 ** 30, threshold: 2 ** 29, unit: 'octets', since: null },
  sims: [
    {
      device_name: 'Camera 1',
      imsi: '214070000000001',
      msisdn: null,
      imei: null,
      lifecycle: 'active',
      tags: ['fleet', 'eu'],
    },
    {
      device_name: 'Camera 2',
      imsi: '214070000000002',
      msisdn: '34600000002',
      imei: null,
      lifecycle: 'active',
      tags: ['fleet'],
    },
  ],
};
const text = (words: string) => ({ subject: words, text: words, sms: words });

test('fields are filled in, in the words of each language, each value once', () => {
  const words =
    '{{rule}}|{{ event }}|{{device_name}}|{{msisdn}}|{{imei}}|{{lifecycle}}|{{tags}}|{{value}}|{{threshold}}|{{sims}}';
  const filled = fillTexts({ 'en-US': text(words), 'es-ES': text(words) }, message);
  expect(filled['en-US']?.subject).toBe(
    'Camera stop|Data usage|Camera 1, Camera 2|34600000002|—|Active|fleet, eu|1 GB|512 MB|2',
  );
  expect(filled['es-ES']?.subject).toBe(
    'Camera stop|Consumo de datos|Camera 1, Camera 2|34600000002|—|Activa|fleet, eu|1 GB|512 MB|2',
  );
  expect(Object.keys(filled)).toEqual(['en-US', 'es-ES']);
});

test('a field without a value is a dash', () => {
  const words = text('{{imsi}}|{{imei}}|{{value}}|{{threshold}}|{{other}}');
  const [camera, ...others] = message.sims;
  const measured = { value: null, threshold: null, unit: null, since: null };
  const sims = camera ? [{ ...camera, imei: '490154203237518' }, ...others] : [];
  expect(fillTexts({ 'en-US': words }, { ...message, measured, sims })['en-US']?.text).toBe(
    '214070000000001, 214070000000002|490154203237518|—|—|{{other}}',
  );
});

test('a value is never taken for a field', () => {
  const named = { ...message, rule: '{{iccid}} $& $1' };
  expect(fillTexts({ 'en-US': text('{{rule}}') }, named)['en-US']?.text).toBe('{{iccid}} $& $1');
});

test('a field has the values of ten SIMs, in a short message of two', () => {
  const iccids = Array.from({ length: 12 }, (_, index) => `893407000000${index}`);
  const filled = fillTexts({ 'en-US': text('{{iccid}} ({{sims}})') }, { ...message, iccids })['en-US'];
  expect(filled?.text).toBe(`${iccids.slice(0, 10).join(', ')} … (12)`);
  expect(filled?.sms).toBe('8934070000000, 8934070000001 … (12)');
});
