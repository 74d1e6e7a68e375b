import { createHmac, randomBytes } from 'node:crypto';

/*
 * Requests signed by Standard Webhooks (standardwebhooks.com, 1.0): the receiver computes the signature with
 * the secret over id, time and body, and so verifies the sender, the content and the time.
 */

const prefix = 'whsec_';
const secretOctets = 32;

/** `whsec_` and 256 bits in base64. */
export const newSecret = (): string => prefix + randomBytes(secretOctets).toString('base64');

export interface Signed {
  /** The same for each attempt: a receiver recognises a repetition by it. */
  id: string;
  /** Time of the attempt. */
  at: Date;
  body: string;
}

/** The headers of a request, signed with each of the secrets, the newest first. */
export const webhookHeaders = (
  { id, at, body }: Signed,
  secrets: readonly string[],
): Record<string, string> => {
  const seconds = Math.floor(at.getTime() / 1000);
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  };
};
