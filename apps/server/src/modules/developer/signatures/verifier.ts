import { constants, type KeyObject, verify as verifyRsa } from 'node:crypto';
import type { Verifier } from 'http-message-sig';
import { algorithm } from './signatures.rules.ts';

export const verifierOf = (key: KeyObject): Verifier => ({
  algorithm,
  verify: (data, signature) =>
    verifyRsa('sha256', data, { key, padding: constants.RSA_PKCS1_PADDING }, signature),
});
