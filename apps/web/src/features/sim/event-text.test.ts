import { type PhraseKey, phrase } from '@simcube/phrases';
import type { TFunction } from 'i18next';
import { describe, expect, test } from 'vitest';
import type { Format } from '../../lib/format/index.ts';
import { numbers } from '../../lib/format/numbers.ts';
import { describeEvent } from './event-text.ts';

const words = {
  t: ((key: PhraseKey, values?: Record<string, string | number>) =>
    phrase('en-US', key, values)) as unknown as TFunction,
  format: numbers('en-US') as unknown as Format,
};
const described = (kind: string, facts: Record<string, string | number | boolean | null> = {}) =>
  describeEvent({ kind, facts }, words);

describe('the description of an event', () => {
  test.each([
    [
      'imei-changed',
      { from: '356938035643809', to: '490154203237518' },
      'IMEI changed',
      '356938035643809 → 490154203237518',
    ],
    [
      'lifecycle-changed',
      { from: 'active', to: 'paused', reason: 'suspend' },
      'Status changed',
      'Active → Paused · suspension',
    ],
    [
      'session-started',
      {
        session: '5A3F',
        radio: '4G',
        network: '262-02',
        cell: '31F2-1A7C40',
        apn: 'iot.acme',
        ip: '10.64.12.9',
      },
      'Session started',
      '4G · 262-02 · cell 31F2-1A7C40 · IP 10.64.12.9 · APN iot.acme · session 5A3F',
    ],
    [
      'bundle-started',
      { bundle: 'EU 5 GB Month', order: 'SO-7', reason: 'activation' },
      'Bundle started',
      'EU 5 GB Month · activation · order SO-7',
    ],
    ['reset', {}, 'Reset', ''],
    [
      'session-stopped',
      { session: '5A3F', cause: 'User-Request', bytes: 2048 },
      'Session ended',
      '2\u00a0KB · the device ended it · session 5A3F',
    ],
    [
      'quota-reached',
      { used_bytes: 1024, limit_bytes: 1024, policy: 'stop' },
      'Quota used up',
      '1\u00a0KB of 1\u00a0KB · then data stops',
    ],
    [
      'network-disconnect',
      { reason: 'quota-used', result: 'nak', session: '5A3F', error_cause: 503 },
      'Disconnect sent',
      'refused by the network · the session had already ended · the quota is used up · session 5A3F',
    ],
    [
      'network-coa',
      { reason: 'cycle-turned', result: 'ack', session: '5A3F', error_cause: null, rate_kbps: null },
      'Change of rate (CoA) sent',
      'no rate limit · acknowledged by the network · a new cycle started · session 5A3F',
    ],
    [
      'network-coa',
      { result: 'timeout', rate_kbps: 128 },
      'Change of rate (CoA) sent',
      '128 kbps · no reply from the network',
    ],
    [
      'updated',
      { device_name_before: null, device_name: 'Truck 7', notes: true, tags_before: 'eu', tags: '' },
      'Information changed',
      'device name — → Truck 7 · tags eu → — · notes changed',
    ],
    [
      'rejected',
      { reason: 'apn-not-allowed', apn: 'iot.other', plmn: '262-02' },
      'Connection rejected',
      '262-02 · APN iot.other · this APN is not allowed for the SIM',
    ],
    [
      'disconnect-failed',
      { session: '5A3F', gateway: 'pgw-1', attempts: 5, reason: 'paused' },
      'Disconnect failed: still connected',
      'suspended · gateway pgw-1 · after 5 attempts · session 5A3F',
    ],
    [
      'rate-change-failed',
      { session: '5A3F', gateway: null, attempts: 5, reason: 'reconciled', rate_kbps: null },
      'Change of rate (CoA) failed',
      'no rate limit · found by the regular check of the network · after 5 attempts · session 5A3F',
    ],
    ['rejected', { reason: 'paused' }, 'Connection rejected', 'suspended'],
  ])('%s', (kind, facts, title, detail) => {
    expect(described(kind, facts)).toMatchObject({ title, detail });
  });

  test('names known networks, and keeps their codes in the exact text', () => {
    const networks = {
      '262-02': { operator: 'Vodafone', country: 'DE' },
      '208-01': { operator: 'Orange FR', country: 'FR' },
      '901-28': { operator: null, country: null },
    };
    const named = (facts: Record<string, string>) =>
      describeEvent({ kind: 'network-changed', facts, networks }, words);
    expect(named({ from: '262-02', to: '208-01' })).toMatchObject({
      detail: 'Vodafone DE → Orange FR',
      exact: 'Vodafone DE → Orange FR\nfrom: 262-02\nto: 208-01',
    });
    expect(named({ radio: '4G', network: '262-02' }).detail).toBe('4G · Vodafone DE');
    expect(named({ from: '901-28', to: '310-410' }).detail).toBe('901-28 → 310-410');
    expect(named({ network: 'constructor' }).detail).toBe('constructor');
  });

  test('keeps the recorded values in the exact text', () => {
    expect(described('session-stopped', { cause: 'Admin-Reset', session: '5A3F' }).exact).toBe(
      'disconnected by an administrator · session 5A3F\ncause: Admin-Reset',
    );
    expect(described('network-disconnect', { result: 'ack', error_cause: null, reason: 'reset' }).exact).toBe(
      'acknowledged by the network · reset\nreason: reset\nresult: ack',
    );
    expect(described('reset').exact).toBe('');
  });

  test('shows unknown terms unchanged', () => {
    expect(described('session-stopped', { cause: 'Cause-99' }).detail).toBe('Cause-99');
    expect(described('rejected', { reason: 'moon-phase' }).detail).toBe('moon-phase');
    expect(described('network-coa', { result: 'maybe', error_cause: 999 }).detail).toBe(
      'maybe · error cause 999',
    );
  });

  test('shows unknown kinds and facts unchanged', () => {
    expect(described('eid.swap_done', { old_eid: '89', quick: true })).toEqual({
      title: 'Eid swap done',
      detail: 'old eid 89 · quick true',
      exact: 'old eid 89 · quick true',
      tone: 'grey',
    });
  });

  test('omits null values', () => {
    expect(described('session-started', { network: '208-01', cell: null, radio: '' }).detail).toBe('208-01');
  });

  test('is not confused by names of object properties', () => {
    expect(described('constructor').title).toBe('Constructor');
  });
});
