import { dayMs } from '@simcube/contract/time';
import { describe, expect, it } from 'vitest';
import type { Gateway } from '../gateways/clients.ts';
import { nasOf, updateOf } from './update.ts';

const gateway: Gateway = {
  id: 3,
  name: 'pgw',
  secret: Buffer.alloc(0),
  requireMessageAuthenticator: true,
  coaHost: null,
  coaPort: 3799,
  rateAttribute: 'WISPr-Bandwidth-Max-Down',
  interimSeconds: 300,
};
const from = { identity: 'imsi:262021234567890', gateway, address: '10.0.0.1' };
const now = Date.UTC(2026, 10, 21, 12);
const bounds = { now, oldest: Date.UTC(2026, 0, 1) };
const record = {
  status: 'interim',
  sessionId: 'S1',
  imsi: '262021234567890',
  nasIdentifier: 'pgw-1',
} as const;

describe('the address of a session', () => {
  const framedInterfaceId = Buffer.from('020000000000002a', 'hex');
  it.each([
    [{ framedIpAddress: '10.1.2.3', framedIpv6Prefix: '2001:db8::/64' }, '10.1.2.3'],
    [{ framedIpv6Address: '2001:db8::1', framedIpv6Prefix: '2001:db8::/64' }, '2001:db8::1'],
    [{ framedIpv6Prefix: '2001:db8:0:7::/64', framedInterfaceId }, '2001:db8:0:7:200::2a'],
    [{ framedIpv6Prefix: '2001:db8:0:7::/64' }, '2001:db8:0:7::'],
    [{ framedInterfaceId }, null],
    // No address: not assigned yet, and the two values by which a server lets the device or the gateway choose (RFC
    // 2865, 5.8).
    [{ framedIpAddress: '0.0.0.0' }, null],
    [{ framedIpAddress: '255.255.255.255' }, null],
    [{ framedIpAddress: '255.255.255.254' }, null],
    [{ framedIpAddress: '0.0.0.0', framedIpv6Prefix: '2001:db8:0:7::/64' }, '2001:db8:0:7::'],
    [{ framedIpv6Address: '::' }, null],
  ])('of %j is %s', (address, ip) => {
    expect(updateOf({ ...record, ...address }, from, bounds).ip).toBe(ip);
  });
});

describe('the time of a record', () => {
  const at = (more: object) => updateOf({ ...record, ...more }, from, bounds);
  it('is the gateway’s time if that is plausible', () => {
    expect(at({ eventTimestamp: now / 1000 - 60 })).toMatchObject({ at: now - 60_000, hasEventTime: true });
    const ahead = { at: now + 299_000, hasEventTime: true, seenAt: now };
    expect(at({ eventTimestamp: now / 1000 + 299 })).toMatchObject(ahead);
  });

  it('is the time of receipt, less the reported delay, if the gateway’s time is implausible', () => {
    for (const eventTimestamp of [undefined, 0, now / 1000 + 301, bounds.oldest / 1000 - 1]) {
      expect(at({ eventTimestamp, delaySeconds: 40 })).toMatchObject({
        at: now - 40_000,
        hasEventTime: false,
      });
    }
    expect(at({ delaySeconds: 4_000_000_000 })).toMatchObject({ at: now - dayMs });
  });
});

describe('a record', () => {
  const ago = (seconds: number) => ({ eventTimestamp: now / 1000 - seconds });
  it.each([
    [ago(-60), 'online'],
    [ago(600), 'online'],
    [ago(601), 'connected'],
    [ago(86_400), 'connected'],
    [ago(86_401), null],
    [{ delaySeconds: 600 }, 'online'],
    [{ delaySeconds: 601 }, 'connected'],
    [{}, 'online'],
  ])('with %j shows by its age, in intervals of its gateway, that the SIM is %s', (times, shows) => {
    expect(updateOf({ ...record, ...times }, from, bounds)).toMatchObject({ shows });
  });
});

describe('the length of a session', () => {
  const seconds = (sessionSeconds: number | undefined) =>
    updateOf({ ...record, eventTimestamp: now / 1000, sessionSeconds }, from, bounds).sessionSeconds;
  const most = (now - bounds.oldest) / 1000;

  it('is what its gateway reports, if the session could have begun then', () => {
    expect([undefined, 0, 86_400, most].map(seconds)).toEqual([0, 0, 86_400, most]);
    expect([most + 1, 2 ** 32 - 1].map(seconds)).toEqual([0, 0]);
  });
});

describe('the contents of a record', () => {
  it('are converted to the product’s terms', () => {
    const update = updateOf(
      {
        ...record,
        servingNetwork: { mcc: '310', mnc: '410' },
        ratType: 8,
        calledStationId: 'IoT.Example',
        location: { type: 'ecgi', mcc: '310', mnc: '410', cellId: 77 },
        terminateCause: 4,
        inputOctets: 5,
      },
      from,
      bounds,
    );
    expect(update).toMatchObject({
      plmn: 310_410,
      radio: 5,
      apn: 'iot.example',
      cell: '310-410-77',
      cause: 'Idle-Timeout',
      up: 5,
      down: undefined,
      nas: 'pgw-1',
      clientId: 3,
    });
  });

  it('identify the same session through any proxy, and a different one for another gateway or id', () => {
    const key = (more: object, id = 3) =>
      updateOf({ ...record, ...more }, { ...from, gateway: { ...gateway, id } }, bounds).sessionKey;
    expect(key({}, 4)).toBe(key({}));
    expect(key({ nasIdentifier: 'pgw-2' })).not.toBe(key({}));
    expect(key({ sessionId: 'S2' })).not.toBe(key({}));
    expect(nasOf({ nasIdentifier: '', nasIpAddress: '10.1.1.1' }, gateway)).toBe('10.1.1.1');
    expect(nasOf({}, gateway)).toBe('pgw');
  });
});
