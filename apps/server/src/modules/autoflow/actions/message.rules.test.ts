import { limits } from '@simcube/contract';
import type { Measured } from '@simcube/contract/autoflow';
import { notificationRequests } from '@simcube/contract/notify';
import { expect, it } from 'vitest';
import { comparisonOf, firedFields, formatFigure, shortList } from './message.rules.ts';

const measured = (
  value: Measured['value'],
  threshold: Measured['threshold'],
  unit: string | null,
): Measured => ({ value, threshold, unit, since: null });

it.each([
  [measured(2 ** 30, 2 ** 29, 'octets'), '1 GB ≥ 512 MB', '1 GB ≥ 512 MB'],
  [measured(49, 48, 'hours'), '49 ≥ 48 horas', '49 ≥ 48 小时'],
  [measured(7, 8, 'sessions'), '7 < 8 sesiones en una hora', '7 < 8 个会话（一小时内）'],
  [measured(5, 5, 'SMS'), '5 ≥ 5 SMS', '5 ≥ 5 SMS'],
  [measured(1.5 * 2 ** 30, 2 ** 30, 'octets'), '1,5 GB ≥ 1 GB', '1.5 GB ≥ 1 GB'],
  [measured(12_500, 10_000, 'SMS'), '12.500 ≥ 10.000 SMS', '12,500 ≥ 10,000 SMS'],
  [measured(260, 250, 'EUR'), '2,60\u00a0€ ≥ 2,50\u00a0€', '€2.60 ≥ €2.50'],
  [measured(260, 250, 'JPY'), '260\u00a0JPY ≥ 250\u00a0JPY', 'JP¥260 ≥ JP¥250'],
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

it('octets are in the largest unit of which there is one', () => {
  const figures = [0, 1023, 1024, 1536, 2 ** 20, 2 ** 40, 2 ** 53];
  expect(figures.map((figure) => formatFigure(figure, 'octets'))).toEqual([
    ...['0 B', '1023 B', '1 KB', '1.5 KB', '1 MB', '1 TB', '8192 TB'],
  ]);
});

it('a figure without a unit, or with one in words, is a number', () => {
  const units = [null, 'SMS', 'hours', 'EURO', 'xEUR'];
  expect(units.map((unit) => formatFigure(250, unit))).toEqual(units.map(() => '250'));
});

it('ten SIMs are listed, and it is said if there are more', () => {
  const iccids = Array.from({ length: 11 }, (_, n) => String(n));
  expect(shortList(iccids.slice(0, 10))).toBe('0, 1, 2, 3, 4, 5, 6, 7, 8, 9');
  expect(shortList(iccids)).toBe('0, 1, 2, 3, 4, 5, 6, 7, 8, 9 …');
});

it('programs receive its codes', () => {
  expect(comparisonOf(measured(1.5 * 2 ** 30, 2 ** 30, 'octets'))).toBe('1.5 GB ≥ 1 GB');
  expect(comparisonOf(measured(123_450, 1000, 'EUR'))).toBe('1234.50 EUR ≥ 10.00 EUR');
  expect(comparisonOf(measured('active', 'paused', null))).toBe('active → paused');
  expect(comparisonOf(measured('DE', 'ES', null))).toBe('DE → ES');
});

it('a request lists a bounded number of firings, and says how many there are', () => {
  const firing = (n: number) => ({
    runId: String(90_000 + n),
    iccid: `898600123000000${String(n).padStart(5, '0')}`,
    happenedAt: new Date(Date.UTC(2026, 10, 21, 12, 0, n)),
    measured: { ...measured(2 ** 40, 2 ** 39, 'octets'), since: '2026-11-01T00:00:00.000Z' },
  });
  const max = limits.notifications.firings;
  const others = Array.from({ length: max }, (_, n) => firing(n + 1));
  const rule = { id: '7', name: 'Fleet', trigger: 'data-usage' } as const;
  const data = { id: '7', ...firedFields(rule, [firing(0), ...others]) };
  const request = { type: 'autoflow.fired', timestamp: '2026-11-21T12:05:00.000Z', data };
  expect(notificationRequests['autoflow.fired'].request.parse(request)).toEqual(request);
  expect([data.sims, data.firings.length]).toEqual([max + 1, max]);
  expect([data.iccid.split(', ')[1], data.comparison]).toEqual(['89860012300000000001', '1 TB ≥ 512 GB']);
  expect(data.firings[1]).toEqual({
    run_id: '90001',
    iccid: '89860012300000000001',
    happened_at: '2026-11-21T12:00:01.000Z',
    value: 2 ** 40,
    threshold: 2 ** 39,
    unit: 'octets',
    since: '2026-11-01T00:00:00.000Z',
  });
  expect(Buffer.byteLength(JSON.stringify(request))).toBeLessThan(32 * 1024);
});
