import type { SimRow } from '@simcube/contract/sim';
import { describe, expect, test } from 'vitest';
import { withNews } from './live-rows.ts';

const row = (iccid: string): SimRow => ({
  iccid,
  imsi: '262021234518823',
  msisdn: null,
  last_imei: null,
  device_name: null,
  lifecycle: 'active',
  status: 23,
  connection: 'offline',
  network_overdue: null,
  network: null,
  apn: null,
  ip: null,
  last_session_at: null,
  cycle_usage_bytes: 1000,
  limit_bytes: null,
  week_bytes: [0, 0, 0, 0, 0, 0, 400],
  bundle_name: null,
  cost: null,
  expires_at: null,
  tags: [],
});
const rows = [row('one'), row('two')];
const silence = { used: new Map(), connections: new Map() };
/** The rows arrived at noon. */
const noon = Date.parse('2026-11-21T12:00:00Z');
const soon = noon + 500;
const later = noon + 60_000;
const using = (iccid: string, is: number, at = later) => ({
  ...silence,
  used: new Map([[iccid, { is, at }]]),
});
const connected = (iccid: string, is: SimRow['connection'], at = later) => ({
  ...silence,
  connections: new Map([[iccid, { is, at }]]),
});

describe('live news in the list', () => {
  test("adds usage to the cycle and to today, on the SIM's row alone", () => {
    const next = withNews(rows, noon, using('two', 1250));
    expect(next[0]).toBe(rows[0]);
    expect(next[1]?.cycle_usage_bytes).toBe(1250);
    expect(next[1]?.week_bytes).toEqual([0, 0, 0, 0, 0, 0, 650]);
    expect(rows[1]?.cycle_usage_bytes).toBe(1000);
  });

  test('a SIM that was still connected is no longer when its session has ended', () => {
    const still = [{ ...row('one'), connection: 'online' as const, network_overdue: 'disconnect' as const }];
    const next = withNews(still, noon, connected('one', 'offline'));
    expect(next).toMatchObject([{ connection: 'offline', network_overdue: null }]);
  });

  test('changes the connection', () => {
    const next = withNews(rows, noon, connected('one', 'online'));
    expect(next.map(({ connection }) => connection)).toEqual(['online', 'offline']);
  });

  test('leaves the very same rows when the news is of other SIMs or none', () => {
    expect(withNews(rows, noon, silence)).toBe(rows);
    expect(withNews(rows, noon, using('elsewhere', 9))).toBe(rows);
    expect(withNews(rows, noon, connected('one', 'offline'))).toBe(rows);
  });

  test('leaves a changed row the same until there is other news of it', () => {
    const [, once] = withNews(rows, noon, using('two', 1250));
    expect(withNews(rows, noon, using('two', 1250))[1]).toBe(once);
    expect(withNews(rows, noon, using('two', 1251))[1]).not.toBe(once);
  });

  test('counts usage that the answer holds already no second time', () => {
    expect(withNews(rows, noon, using('two', 1000))).toBe(rows);
    expect(withNews(rows, noon, using('two', 900, soon))).toBe(rows);
  });

  test('follows an event that comes before an answer that does not hold it yet', () => {
    expect(withNews(rows, noon, using('two', 1250, noon - 100))[1]?.cycle_usage_bytes).toBe(1250);
    expect(withNews(rows, noon, connected('one', 'online', noon - 100))[0]?.connection).toBe('online');
    expect(withNews(rows, noon, connected('one', 'online', noon - 60_000))).toBe(rows);
  });

  test('starts over with a new cycle', () => {
    const next = withNews(rows, noon, using('two', 30));
    expect(next[1]).toMatchObject({ cycle_usage_bytes: 30, week_bytes: [0, 0, 0, 0, 0, 0, 430] });
  });
});
