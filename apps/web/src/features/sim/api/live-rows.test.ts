import type { SimRow } from '@simcube/contract/sim';
import { describe, expect, test } from 'vitest';
import { withUpdates } from './live-rows.ts';

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
  data: { state: 'open', kbps: null, restrictions: [] },
  network: null,
  apn: null,
  ip: null,
  last_session_at: null,
  cycle_usage_bytes: 1000,
  limit_bytes: null,
  uses_pool_limit: false,
  week_bytes: [0, 0, 0, 0, 0, 0, 400],
  bundle_name: null,
  cost: null,
  activated_at: null,
  expires_at: null,
  tags: [],
  notes: null,
  delivery_note_number: null,
  shipment_on: null,
  chip_grade: null,
  technology: null,
  sms_suspended: false,
});
const rows = [row('one'), row('two')];
const noUpdates = { used: new Map(), connections: new Map() };
/** The rows arrived at noon. */
const noon = Date.parse('2026-11-21T12:00:00Z');
const soon = noon + 500;
const later = noon + 60_000;
const using = (iccid: string, value: number, at = later) => ({
  ...noUpdates,
  used: new Map([[iccid, { value, at }]]),
});
const connected = (iccid: string, value: SimRow['connection'], at = later) => ({
  ...noUpdates,
  connections: new Map([[iccid, { value, at }]]),
});

describe('live updates of the list', () => {
  test("adds usage to the cycle and to today, on the SIM's row alone", () => {
    const next = withUpdates(rows, noon, using('two', 1250));
    expect(next[0]).toBe(rows[0]);
    expect(next[1]?.cycle_usage_bytes).toBe(1250);
    expect(next[1]?.week_bytes).toEqual([0, 0, 0, 0, 0, 0, 650]);
    expect(rows[1]?.cycle_usage_bytes).toBe(1000);
  });

  test('a SIM that was still connected is no longer when its session has ended', () => {
    const still = [{ ...row('one'), connection: 'online' as const, network_overdue: 'disconnect' as const }];
    const next = withUpdates(still, noon, connected('one', 'offline'));
    expect(next).toMatchObject([{ connection: 'offline', network_overdue: null }]);
  });

  test('changes the connection', () => {
    const next = withUpdates(rows, noon, connected('one', 'online'));
    expect(next.map(({ connection }) => connection)).toEqual(['online', 'offline']);
  });

  test('keeps the identity of the rows when updates concern other SIMs or none', () => {
    expect(withUpdates(rows, noon, noUpdates)).toBe(rows);
    expect(withUpdates(rows, noon, using('elsewhere', 9))).toBe(rows);
    expect(withUpdates(rows, noon, connected('one', 'offline'))).toBe(rows);
  });

  test('keeps the identity of a changed row until its next update', () => {
    const [, once] = withUpdates(rows, noon, using('two', 1250));
    expect(withUpdates(rows, noon, using('two', 1250))[1]).toBe(once);
    expect(withUpdates(rows, noon, using('two', 1251))[1]).not.toBe(once);
  });

  test('does not count usage twice that the response already contains', () => {
    expect(withUpdates(rows, noon, using('two', 1000))).toBe(rows);
    expect(withUpdates(rows, noon, using('two', 900, soon))).toBe(rows);
  });

  test('applies an event that arrives before a response that does not contain it yet', () => {
    expect(withUpdates(rows, noon, using('two', 1250, noon - 100))[1]?.cycle_usage_bytes).toBe(1250);
    expect(withUpdates(rows, noon, connected('one', 'online', noon - 100))[0]?.connection).toBe('online');
    expect(withUpdates(rows, noon, connected('one', 'online', noon - 60_000))).toBe(rows);
  });

  test('starts over with a new cycle', () => {
    const next = withUpdates(rows, noon, using('two', 30));
    expect(next[1]).toMatchObject({ cycle_usage_bytes: 30, week_bytes: [0, 0, 0, 0, 0, 0, 430] });
  });
});
