import { expect, it } from 'vitest';
import { closureText } from './closure.rules.ts';

it.each([
  [
    { reason: 'connect-failed', detail: 'CERT_HAS_EXPIRED' },
    'connect-failed CERT_HAS_EXPIRED: the certificate of the SMSC has expired',
  ],
  [
    { reason: 'connect-failed', detail: 'ERR_SSL_WRONG_VERSION_NUMBER' },
    'connect-failed ERR_SSL_WRONG_VERSION_NUMBER: the SMSC does not use TLS on this port, or no TLS version that both support',
  ],
  [
    { reason: 'framing-lost', detail: 'command_length 352518912' },
    'framing-lost command_length 352518912: the data received is not SMPP: wrong port, or TLS on one side only',
  ],
  [{ reason: 'unbound-by-smsc', detail: '' }, 'unbound-by-smsc'],
  [
    { reason: 'bind-lost', detail: 'ESME_RINVBNDSTS' },
    'bind-lost ESME_RINVBNDSTS: the SMSC no longer knows the bind, as after its failover, or does not allow this kind of bind to send',
  ],
  [{ reason: 'connect-failed', detail: 'EMFILE' }, 'connect-failed EMFILE'],
] as const)('the end of a connection is said with its codes and in words: %j', (closure, text) => {
  expect(closureText(closure)).toBe(text);
});
