import { createHash, type KeyLike, randomUUID, sign } from 'node:crypto';
import { headers as names } from '@simcube/contract';

export interface SignedRequest {
  method: string;
  /** Complete URL as sent: the server's public URL, path and query. */
  url: string;
  /** Names in lower case. */
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array | undefined;
}

export interface SigningKey {
  /** The API key's id. */
  keyId: string;
  /** Its private half, PEM (PKCS #8). */
  privateKey: KeyLike;
}

/** Fields that a signature covers if they are sent. */
const covered = ['content-digest', 'content-type', names.tenantId, names.partnerCode];

/** The signature base (RFC 9421, 2.5): one line per component, and the parameters. */
export const signatureBase = (components: ReadonlyMap<string, string>, parameters: string): string => {
  const lines = [...components].map(([name, value]) => `"${name}": ${value}`);
  return [...lines, `"@signature-params": ${inputOf(components, parameters)}`].join('\n');
};

const inputOf = (components: ReadonlyMap<string, string>, parameters: string): string =>
  `(${[...components.keys()].map((name) => `"${name}"`).join(' ')})${parameters}`;

/**
 * The headers of a request with its signature by an API key (RFC 9421, rsa-v1_5-sha256) and the digest of its body
 * (RFC 9530). A signature is valid for one request: a retry needs a new one.
 */
export const signedHeaders = (
  { method, url, headers = {}, body }: SignedRequest,
  { keyId, privateKey }: SigningKey,
  { now = new Date(), nonce = randomUUID() }: { now?: Date; nonce?: string } = {},
): Record<string, string> => {
  const sent: Record<string, string> = { ...headers };
  if (body !== undefined && body.length > 0)
    sent['content-digest'] = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
  const components = new Map([
    ['@method', method],
    ['@target-uri', url],
    ...covered.flatMap((name) => (sent[name] === undefined ? [] : [[name, sent[name]] as const])),
  ]);
  const created = Math.floor(now.getTime() / 1000);
  const parameters = `;created=${created};keyid="${keyId}";alg="rsa-v1_5-sha256";nonce="${nonce}"`;
  const signature = sign('sha256', Buffer.from(signatureBase(components, parameters)), privateKey);
  return {
    ...sent,
    'signature-input': `sig1=${inputOf(components, parameters)}`,
    signature: `sig1=:${signature.toString('base64')}:`,
  };
};
