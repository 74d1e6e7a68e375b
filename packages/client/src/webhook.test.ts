import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { verifyNotification, verifyWebhook, type WebhookRefused } from './webhook.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const former = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const now = new Date('2026-11-21T12:00:00Z');
const id = '7b3c1f1e-5d0c-4d4e-9a57-0a8f3f1f2a11';
const body = '{"type":"webhook.test","data":{"message":"¿Qué tal?"}}';

/** Signed by the reference implementation. */
const signed = (content = body, by: readonly string[] = [secret], at = now): Record<string, string> => ({
  'webhook-id': id,
  'webhook-timestamp': String(at.getTime() / 1000),
  'webhook-signature': by.map((one) => new Webhook(one).sign(id, at, content)).join(' '),
});

const faultOf = (headers: Record<string, string>, content = body, by = secret): string => {
  try {
    verifyWebhook(headers, content, by, { now });
    return 'none';
  } catch (error) {
    return (error as WebhookRefused).fault;
  }
};

describe('a signed request', () => {
  it('is accepted as text and as octets, with headers of Node and of fetch', () => {
    const event = JSON.parse(body);
    expect(verifyWebhook(signed(), body, secret, { now })).toEqual(event);
    expect(verifyWebhook(signed(), new TextEncoder().encode(body), secret, { now })).toEqual(event);
    expect(verifyWebhook(new Headers(signed()), body, secret, { now })).toEqual(event);
    expect(verifyNotification(signed(), body, secret, { now })).toEqual(event);
  });

  it('is accepted with any of its signatures and any of the secrets', () => {
    const headers = signed(body, [former, secret]);
    expect(faultOf(headers)).toBe('none');
    expect(faultOf(headers, body, former)).toBe('none');
    expect(() => verifyWebhook(signed(body, [former]), body, [secret, former], { now })).not.toThrow();
    expect(faultOf(signed(body, [former]))).toBe('signature');
  });

  it('is accepted within five minutes', () => {
    const at = (seconds: number) => new Date(now.getTime() + 1000 * seconds);
    const faults = [-301, -300, 300, 301].map((seconds) => faultOf(signed(body, [secret], at(seconds))));
    expect(faults).toEqual(['time', 'none', 'none', 'time']);
  });

  it.each([
    ['with a different body', {}, `${body} `, 'signature'],
    ['with a different id', { 'webhook-id': 'other' }, body, 'signature'],
    ['with a different time', { 'webhook-timestamp': '1795262401' }, body, 'signature'],
    ['with a signature of another version', { 'webhook-signature': 'v1a,AAAA' }, body, 'signature'],
    ['with an empty signature', { 'webhook-signature': 'v1,' }, body, 'signature'],
    ['without a signature', { 'webhook-signature': '' }, body, 'headers'],
    ['without an id', { 'webhook-id': '' }, body, 'headers'],
    ['with a time that is not a number', { 'webhook-timestamp': 'NaN' }, body, 'headers'],
  ])('is refused %s', (_case, changed, content, fault) => {
    expect(faultOf({ ...signed(), ...changed }, content)).toBe(fault);
  });

  it('is refused if its body is not JSON', () => {
    expect(faultOf(signed('{'), '{')).toBe('body');
  });
});

it.each(['', 'whsec_', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])('"%s" is not a secret', (text) => {
  expect(() => verifyWebhook(signed(), body, text, { now })).toThrow(TypeError);
});
