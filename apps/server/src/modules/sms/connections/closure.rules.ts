import type { Closure } from '@simcube/smpp';

/** Codes of OpenSSL and of the system, as named by Node.js. */
const words: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'the certificate of the SMSC has expired',
  CERT_NOT_YET_VALID: 'the certificate of the SMSC is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate of the SMSC is self-signed and not trusted here',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate of the SMSC is of an authority that is not trusted here',
  UNABLE_TO_GET_ISSUER_CERT: 'the certificate of the SMSC is of an authority that is not trusted here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'the certificate of the SMSC is of an authority that is not trusted here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the SMSC does not send the certificate of its authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of the SMSC is for another name',
  ECONNREFUSED: 'nothing listens at this address and port',
  ECONNRESET: 'the SMSC, or something on the way, ended the connection at once',
  ENOTFOUND: 'the name of the host is not found',
  EAI_AGAIN: 'the name of the host can’t be looked up',
  ETIMEDOUT: 'no connection was made in time: it is blocked on the way, or a TLS handshake was not completed',
  EHOSTUNREACH: 'there is no way to the address',
  ENETUNREACH: 'there is no way to the address',
};

const wordsOfReason: Partial<Record<Closure['reason'], string>> = {
  'bind-timeout': 'the SMSC did not answer the bind: a wrong port, or TLS on one side only',
  'framing-lost': 'what came is no SMPP: a wrong port, or TLS on one side only',
  'connection-lost':
    'the SMSC ended the connection: if at once, the port is wrong, or TLS is on one side only',
  'enquire-link-timeout': 'the SMSC no longer answers',
  'bind-refused': 'the SMSC does not accept the system id, the password or the kind of bind',
};

/** Why a connection ended: searchable codes and their meaning. */
export const closureText = ({ reason, detail }: Closure): string => {
  const meaning = /^(?:EPROTO|ERR_SSL_)/.test(detail)
    ? 'the SMSC does not speak TLS at this port, or none that both know'
    : (words[detail] ?? wordsOfReason[reason]);
  return `${[reason, detail].filter(Boolean).join(' ')}${meaning ? `: ${meaning}` : ''}`;
};
