import { describe, expect, it } from 'vitest';
import { demoDevices } from './demo-devices.ts';
import { deviceKindNames, deviceKinds } from './device-kinds.ts';
import { type HistoryRow, history } from './history.ts';
import { dayMs, hourMs } from './time.ts';
import { cells, findOperator } from './world.ts';

const untilMs = Date.parse('2025-06-15T13:30:00Z');
const devices = demoDevices(300, 7);
const rows = [...history({ devices, seed: 7, untilMs, days: 60, detailDays: 3 })];
const kindOf = new Map(devices.map(({ imsi, kind }) => [imsi, kind]));
const cellKeys = new Set(cells.map(({ key }) => key));

const sum = (list: readonly HistoryRow[]): number =>
  list.reduce((total, { up_bytes, down_bytes }) => total + up_bytes + down_bytes, 0);

describe('history', () => {
  it('is reproducible by seed', () => {
    const again = [...history({ devices, seed: 7, untilMs, days: 60, detailDays: 3 })];
    expect(again).toEqual(rows);
    const other = [...history({ devices, seed: 8, untilMs, days: 60, detailDays: 3 })];
    expect(sum(other)).not.toBe(sum(rows));
  });

  it('has consistent rows: times in order, real networks, known cells', () => {
    // One expectation for all rows: one for each takes longer than generating them.
    const wrong = rows.filter((row) => {
      const ended = Date.parse(row.ended_at);
      const operator = findOperator(row.mcc + row.mnc);
      return !(
        ended > Date.parse(row.started_at) &&
        ended <= untilMs &&
        operator?.radios.has(row.rat as 'EUTRAN') &&
        cellKeys.has(row.cell) &&
        row.up_bytes >= 0 &&
        Number.isSafeInteger(row.down_bytes)
      );
    });
    expect(wrong).toEqual([]);
    expect(Date.parse(rows[0]?.started_at ?? '')).toBeLessThan(untilMs - 59 * dayMs);
  });

  it('has sessions of a single device, of at most a week', () => {
    const sessions = new Map<string, HistoryRow[]>();
    for (const row of rows) sessions.set(row.session_id, [...(sessions.get(row.session_id) ?? []), row]);
    const wrong = [...sessions.values()].filter((session) => {
      const [first, last] = [session[0], session.at(-1)];
      const length = Date.parse(last?.ended_at ?? '') - Date.parse(first?.started_at ?? '');
      return length > 7 * dayMs || session.some(({ imsi }) => imsi !== first?.imsi);
    });
    expect(wrong).toEqual([]);
    expect(rows.length / sessions.size).toBeGreaterThan(5);
  });

  it('extends to its exact end, with the same daily volume at any resolution', () => {
    const last = rows.filter(({ ended_at }) => Date.parse(ended_at) === untilMs - 1);
    expect(last.length).toBeGreaterThan(devices.length * 0.9);
    const until = Date.parse('2025-06-14T00:00:00Z');
    const [fine, coarse] = [15, 0].map((detailDays) =>
      sum([...history({ devices, seed: 7, untilMs: until, days: 5, detailDays })]),
    );
    expect((fine ?? 0) / (coarse ?? 1)).toBeCloseTo(1, 2);
  });

  it('has no peak on a business day (UTC+8) of the last 31, where its rows become shorter', () => {
    const businessDays = new Map<number, number>();
    for (const row of rows) {
      const day = Math.floor((Date.parse(row.ended_at) + 8 * hourMs) / dayMs);
      businessDays.set(day, (businessDays.get(day) ?? 0) + sum([row]));
    }
    const whole = [...businessDays.values()].slice(-32, -1);
    expect(Math.max(...whole) / Math.min(...whole)).toBeLessThan(1.4);
  });

  it('has ended nearly as much of its usage by the same time a month ago as today', () => {
    const endedFrom = (from: string, until: number): number =>
      sum(rows.filter(({ ended_at }) => ended_at > from && Date.parse(ended_at) <= until));
    const today = endedFrom('2025-06-15T00:00:00Z', untilMs);
    const monthAgo = endedFrom('2025-05-15T00:00:00Z', untilMs - 31 * dayMs);
    expect(today / monthAgo).toBeGreaterThan(0.8);
    expect(today / monthAgo).toBeLessThan(1.4);
  });

  it('never has overlapping rows of one device', () => {
    const last = new Map<string, string>();
    for (const { imsi, started_at, ended_at } of rows) {
      expect((last.get(imsi) ?? '') < started_at).toBe(true);
      last.set(imsi, ended_at);
    }
  });

  it('has the typical volume of each kind of device', () => {
    for (const name of deviceKindNames) {
      const own = rows.filter(({ imsi }) => kindOf.get(imsi) === name);
      const deviceDays = devices.filter(({ kind }) => kind === name).length * 60;
      const mean = own.reduce((total, { up_bytes }) => total + up_bytes, 0) / deviceDays;
      const { dailyUpBytes } = deviceKinds[name];
      expect(mean / dailyUpBytes, name).toBeGreaterThan(0.5);
      expect(mean / dailyUpBytes, name).toBeLessThan(1.6);
    }
  });

  it('moves trucks, but not meters', () => {
    const countriesOf = (name: string): number => {
      const own = rows.filter(({ imsi }) => kindOf.get(imsi) === name);
      const pairs = new Set(own.map(({ imsi, mcc, mnc }) => `${imsi} ${findOperator(mcc + mnc)?.country}`));
      return pairs.size / new Set(own.map(({ imsi }) => imsi)).size;
    };
    expect(countriesOf('meter')).toBe(1);
    expect(countriesOf('truck')).toBeGreaterThan(3);
  });

  it('is limited to a SIM’s active time', () => {
    const fromMs = untilMs - 10 * dayMs;
    const some = [
      ...history({
        devices,
        seed: 7,
        untilMs,
        days: 60,
        activeWindow: ({ index }) => (index % 2 === 0 ? { fromMs, untilMs: fromMs + 5 * dayMs } : undefined),
      }),
    ];
    const evens = new Set(devices.filter(({ index }) => index % 2 === 0).map(({ imsi }) => imsi));
    expect(some.length).toBeGreaterThan(100);
    for (const { imsi, started_at, ended_at } of some) {
      expect(evens.has(imsi)).toBe(true);
      expect(Date.parse(started_at)).toBeGreaterThanOrEqual(fromMs);
      expect(Date.parse(ended_at)).toBeLessThanOrEqual(fromMs + 5 * dayMs);
    }
  });

  it('changes the IMEI of few devices, once each', () => {
    const imeis = new Map<string, string[]>();
    for (const { imsi, imei } of rows) {
      const known = imeis.get(imsi) ?? [];
      if (known.at(-1) !== imei) imeis.set(imsi, [...known, imei]);
    }
    const changes = [...imeis.values()].map(({ length }) => length);
    expect(Math.max(...changes)).toBe(2);
    expect(changes.filter((length) => length === 2).length).toBeLessThan(40);
  });
});
