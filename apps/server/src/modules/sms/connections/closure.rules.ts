import type { Closure } from '@simcube/smpp';

/** Codes of OpenSSL and of the system, as named by Node.js. */
const textByCode: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'the certificate of the SMSC has expired',
  CERT_NOT_YET_VALID: 'the certificate of the SMSC is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate of the SMSC is self-signed and not trusted here',
  SELF_SIGNED_CERT_IN_CHAIN:
    'the certificate of the SMSC was issued by an authority that is not trusted here',
  UNABLE_TO_GET_ISSUER_CERT:
    'the certificate of the SMSC was issued by an authority that is not trusted here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'the certificate of the SMSC was issued by an authority that is not trusted here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the SMSC does not send the certificate of its authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of the SMSC is for another name',
  ECONNREFUSED: 'nothing listens at this address and port',
  ECONNRESET: 'the SMSC, or something on the way, ended the connection immediately',
  ENOTFOUND: 'the host name was not found',
  EAI_AGAIN: 'the host name can’t be looked up',
  ETIMEDOUT: 'the connection timed out: it is blocked on the way, or the TLS handshake was not completed',
  EHOSTUNREACH: 'there is no route to the address',
  ENETUNREACH: 'there is no route to the address',
};

const textByReason: Partial<Record<Closure['reason'], string>> = {
  'bind-timeout': 'the SMSC did not respond to the bind: wrong port, or TLS on one side only',
  'framing-lost': 'the data received is not SMPP: wrong port, or TLS on one side only',
  'connection-lost':
    'the SMSC ended the connection: if immediately, the port is wrong, or TLS is on one side only',
  'bind-lost':
    'the SMSC no longer knows the bind, as after its failover, or does not allow this kind of bind to send',
  'enquire-link-timeout': 'the SMSC no longer responds',
  'bind-refused': 'the SMSC does not accept the system id, the password or the kind of bind',
};

/** Why a connection ended: searchable codes and their meaning. */
export const closureText = ({ reason, detail }: Closure): string => {
  const meaning = /^(?:EPROTO|ERR_SSL_)/.test(detail)
    ? 'the SMSC does not use TLS on this port, or no TLS version that both support'
    : (textByCode[detail] ?? textByReason[reason]);
  return `${[reason, detail].filter(Boolean).join(' ')}${meaning ? `: ${meaning}` : ''}`;
};
