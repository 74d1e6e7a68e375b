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
  expires_at: null,
  tags: [],
});
const rows = [row('one'), row('two')];
const silence = { bytes: new Map(), connections: new Map() };

describe('live news in the list', () => {
  test("adds usage to the cycle and to today, on the SIM's row alone", () => {
    const next = withNews(rows, { ...silence, bytes: new Map([['two', 250]]) });
    expect(next[0]).toBe(rows[0]);
    expect(next[1]?.cycle_usage_bytes).toBe(1250);
    expect(next[1]?.week_bytes).toEqual([0, 0, 0, 0, 0, 0, 650]);
    expect(rows[1]?.cycle_usage_bytes).toBe(1000);
  });

  test('a SIM that was still connected is no longer when its session has ended', () => {
    const still = [{ ...row('one'), connection: 'online' as const, network_overdue: 'disconnect' as const }];
    const next = withNews(still, { ...silence, connections: new Map([['one', 'offline']]) });
    expect(next).toMatchObject([{ connection: 'offline', network_overdue: null }]);
  });

  test('changes the connection', () => {
    const next = withNews(rows, { ...silence, connections: new Map([['one', 'online']]) });
    expect(next.map(({ connection }) => connection)).toEqual(['online', 'offline']);
  });

  test('leaves the very same rows when the news is of other SIMs or none', () => {
    expect(withNews(rows, silence)).toBe(rows);
    expect(
      withNews(rows, { bytes: new Map([['elsewhere', 9]]), connections: new Map([['one', 'offline']]) }),
    ).toBe(rows);
  });
});
