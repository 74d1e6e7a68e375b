import type { Measured } from '@simcube/contract/autoflow';
import { expect, it } from 'vitest';
import { comparisonOf } from './message.rules.ts';

const measured = (
  value: Measured['value'],
  threshold: Measured['threshold'],
  unit: string | null,
): Measured => ({
  ...{ value, threshold, unit },
  since: null,
});

it.each([
  [measured(2 ** 30, 2 ** 29, 'octets'), '1 GB ≥ 512 MB', '1 GB ≥ 512 MB'],
  [measured(49, 48, 'hours'), '49 ≥ 48 horas', '49 ≥ 48 小时'],
  [measured(5, 5, 'SMS'), '5 ≥ 5 SMS', '5 ≥ 5 SMS'],
  [measured(260, 250, 'EUR'), '2.60 EUR ≥ 2.50 EUR', '2.60 EUR ≥ 2.50 EUR'],
  [measured('active', 'paused', null), 'Activa → Suspendida', '已激活 → 已暂停'],
  [measured('DE', 'ES', null), 'Alemania → España', '德国 → 西班牙'],
  [
    measured('490154203237518', '356938035643809', null),
    '490154203237518 → 356938035643809',
    '490154203237518 → 356938035643809',
  ],
  [measured('2026-12-27T08:00:00.000Z', null, null), '2026-12-27 08:00 UTC', '2026-12-27 08:00 UTC'],
  [measured(null, null, null), '', ''],
])('what was compared is said in the words of the reader: %j', (one, spanish, chinese) => {
  expect([comparisonOf(one, 'es-ES'), comparisonOf(one, 'zh-CN')]).toEqual([spanish, chinese]);
});

it('programs receive its codes', () => {
  expect(comparisonOf(measured('active', 'paused', null))).toBe('active → paused');
  expect(comparisonOf(measured('DE', 'ES', null))).toBe('DE → ES');
});
