import { expect, test } from 'vitest';
import { newSecret, webhookHeaders } from './webhook-signing.ts';

const message = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  at: new Date(1614265330 * 1000 + 999),
  body: '{"test": 2432232314}',
};

test('a request is signed as the example of Standard Webhooks is', () => {
  expect(webhookHeaders(message, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('a request has a signature for each secret, the newest first', () => {
  const [one, two] = [newSecret(), newSecret()];
  const signed = (secrets: string[]) => webhookHeaders(message, secrets)['webhook-signature'];
  expect(signed([one, two])).toBe(`${signed([one])} ${signed([two])}`);
  expect(one).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
});
