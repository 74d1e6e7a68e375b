import { limits } from '@simcube/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toStoredCall } from './stored-call.ts';

const now = new Date('2026-11-21T12:00:00Z');
const key = {
  id: 'k',
  name: 'Fleet',
  orgId: 1,
  tenantId: 't',
  partnerCode: 'p',
  expiresAt: null,
  rights: null,
};
const call = {
  key,
  userId: 'u',
  traceId: 't',
  address: '192.0.2.1',
  method: 'POST',
  endpoint: undefined,
  target: '/cube/x',
  httpCode: 200,
  durationMs: 20,
  headers: {},
  bodyBytes: 0,
  responseBytes: 0,
  confidential: false,
  body: undefined,
  response: undefined,
};
const bodyOf = (body: string) => toStoredCall({ ...call, body }, now).body;

describe('the stored form of a call', () => {
  it.each([
    ['{"password":"a\\"b","name":"x"}', '{"password":"***","name":"x"}'],
    ['{"data":{"private_key" : "-----BEGIN"}}', '{"data":{"private_key" : "***"}}'],
    ['{"oldPassword":"x","a":1}', '{"oldPassword":"***","a":1}'],
    ['{"tokens":["a","b"],"secret":{"a":1},"token":12}', '{"tokens":"***","secret":"***","token":"***"}'],
    ['{"name":"password","state":"secret"}', '{"name":"password","state":"secret"}'],
  ])('has no secrets: %s', (sent, kept) => {
    expect(bodyOf(sent)).toBe(kept);
  });

  it('has no secret if the text was cut within one', () => {
    const filler = 'x'.repeat(limits.apiLog.bytes - 30);
    const kept = bodyOf(`{"a":"${filler}","secret":"${'s'.repeat(100)}"}`);
    expect(kept).toContain('"secret":"***"');
    expect(kept).not.toContain('ss');
  });

  it('has no secrets in headers and URLs', () => {
    const headers = { cookie: 'a', 'one-time-token': 'sct_1', signature: 'sig1=:A:', 'user-agent': 'curl' };
    const { header, path } = toStoredCall({ ...call, headers, target: '/cube/x?a=1&token=sct_2&b=3' }, now);
    expect(header).toEqual({
      cookie: '***',
      'one-time-token': '***',
      signature: '***',
      'user-agent': 'curl',
    });
    expect(path).toBe('/cube/x?a=1&token=***&b=3');
  });

  it('is 8 kB of whole, storable characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.nat(400), (text, times) => {
        const kept = bodyOf(text.repeat(times)) ?? '';
        expect(kept).not.toContain('\0');
        expect(Buffer.from(kept).toString()).toBe(kept);
        expect(kept.length).toBeLessThanOrEqual(limits.apiLog.bytes);
      }),
    );
    expect(bodyOf('é'.repeat(8000))).toBe('é'.repeat(limits.apiLog.bytes / 2));
    expect(bodyOf('€'.repeat(8000))).toBe('€'.repeat(Math.floor(limits.apiLog.bytes / 3)));
  });

  it('has numbers that fit their columns, whatever the request claims', () => {
    const sizes = { bodyBytes: 1e30, responseBytes: Number.NaN, durationMs: Number.POSITIVE_INFINITY };
    const max = 2_147_483_647;
    expect(toStoredCall({ ...call, ...sizes }, now)).toMatchObject({
      bodyBytes: max,
      responseBytes: 0,
      durationMs: max,
    });
  });

  it('has its start, origin and response code', () => {
    const refused = '{"data":null,"status":{"success":false,"code":"CB-00-0403"}}';
    expect(
      toStoredCall({ ...call, address: '::ffff:192.0.2.7', httpCode: 403, response: refused }, now),
    ).toMatchObject({
      at: new Date(now.getTime() - 20),
      address: '192.0.2.7',
      code: 'CB-00-0403',
      body: null,
    });
    expect(toStoredCall({ ...call, address: 'unknown' }, now)).toMatchObject({
      address: '',
      code: null,
      response: null,
    });
  });
});
