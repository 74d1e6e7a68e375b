import type { ErrorKey } from '@simcube/contract';

type Named<K> = K extends `signature.${infer Name}` ? Name : never;

/** Errors returned to callers with an API key; the console uses sessions and needs none of them. */
export const signature = {
  sessionOnly: 'An API key cannot make this call. Please sign in.',
  tokenToo: 'Send either a bearer token or a signature, not both.',
  malformed:
    'The signature could not be read: Signature-Input and Signature must have one signature with the same label.',
  algorithm: 'The algorithm of the signature must be rsa-v1_5-sha256.',
  parameter: 'The parameter “{{name}}” of the signature is missing or not valid.',
  component: 'The signature does not cover “{{name}}”, or the request does not have it.',
  created: 'The signature was created too long ago or in the future, or has expired. Please check the clock.',
  keyUnknown: 'This API key does not exist. It may have been removed.',
  keyExpired: 'This API key has expired.',
  wrong: 'The signature does not match the request. Its “@target-uri” is {{uri}}.',
  nonce: 'This nonce was already used.',
  digest: 'Content-Digest does not match the body.',
  account: 'The account of this API key is disabled, or may no longer use API keys.',
} satisfies Record<Named<ErrorKey>, string>;
