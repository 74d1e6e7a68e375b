import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { headers } from '@simcube/contract';
import { minuteMs } from '@simcube/contract/time';
import {
  isSignatureError,
  type RequestDescriptor,
  SignatureErrorCode,
  type Verifier,
  verifySignature,
} from 'http-message-sig';
import type pg from 'pg';
import type { AccessControl, SignedRequest, VerifiedRequest } from '../../../platform/access/index.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { KeyCache } from './key-cache.ts';
import { consumeNonce, listPublicKeys, type UsedKey } from './signatures.queries.ts';
import {
  algorithm,
  maxFieldsLength,
  requiredComponentsFor,
  sha256Of,
  type ValidClaims,
  validateClaims,
} from './signatures.rules.ts';
import { verifierOf } from './verifier.ts';

export interface SignatureOptions {
  pool: pg.Pool;
  clock: Clock;
  /**
   * The public address of requests, without the path: `@target-uri` begins with it, however proxies change the
   * request.
   */
  publicUrl: () => string;
}

/** Times are checked by `validateClaims`, whose errors are more specific than the library's. */
const unlimitedSkew = Number.MAX_SAFE_INTEGER;

export const createSignatures = ({
  pool,
  clock,
  publicUrl,
}: SignatureOptions): Pick<AccessControl, 'verify'> => {
  const keys = new KeyCache(async (ids) => {
    const known = await listPublicKeys(pool, ids);
    return new Map(known.map(({ id, publicKey }) => [id, publicKeyOf(publicKey)]));
  });

  const consume = async ({ keyId, nonce, validUntil }: ValidClaims, durably: boolean): Promise<UsedKey> => {
    const now = clock.now();
    const retainUntil = new Date(validUntil.getTime() + minuteMs);
    const touchedBefore = new Date(now.getTime() - minuteMs);
    const used = await consumeNonce(pool, { keyId, nonce, retainUntil, now, touchedBefore, durably });
    if (!used) {
      keys.forget(keyId);
      return fail('CB-08-0009');
    }
    if (used.isDisabled) fail('CB-08-0014');
    if (used.expiresAt && used.expiresAt <= now) fail('CB-08-0010');
    return used.isFresh ? used : fail('CB-08-0012');
  };

  return {
    async verify(request): Promise<VerifiedRequest> {
      const message = messageOf(request, publicUrl());
      const required = requiredComponentsFor({
        hasBody: request.hasBody,
        tenantId: hasField(message, headers.tenantId),
        partnerCode: hasField(message, headers.partnerCode),
      });
      let claims: ValidClaims | undefined;
      const { components } = await withCatalogueErrors(
        message,
        verifySignature(message, {
          policy: {
            algorithms: [algorithm],
            requiredComponents: [],
            requiredParameters: [],
            clockSkew: unlimitedSkew,
          },
          async resolveVerifier({ components: covered, parameters }): Promise<Verifier> {
            const plain = covered.filter((one) => Object.keys(one.parameters).length === 0);
            const validated = validateClaims(
              { components: new Set(plain.map(({ name }) => name)), parameters },
              { required, now: clock.now() },
            );
            if ('refusal' in validated) {
              const { code, name } = validated.refusal;
              return fail(code, name === undefined ? {} : { values: { name } });
            }
            claims = validated;
            return verifierOf((await keys.find(validated.keyId, clock.now())) ?? fail('CB-08-0009'));
          },
        }),
      );
      const isDigestCovered = components.some(({ name }) => name === 'content-digest');
      const digest = isDigestCovered ? digestOf(message, request) : undefined;
      if (!claims) throw new Error('A signature was verified without its claims');
      return { principal: principalOf(await consume(claims, request.changes)), digest };
    },
  };
};

/** Fields that can't be signed (RFC 9421, 2.1: non-ASCII characters) are treated as not sent. */
const messageOf = ({ method, target, rawHeaders }: SignedRequest, publicUrl: string): RequestDescriptor => {
  const fields = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = [rawHeaders[at]?.toLowerCase(), rawHeaders[at + 1]];
    if (/^[\t\x20-\x7e]*$/.test(value)) fields.push({ name, value });
  }
  const length = fields
    .filter(({ name }) => name === 'signature' || name === 'signature-input')
    .reduce((sum, { value }) => sum + value.length, 0);
  if (length > maxFieldsLength || !target.startsWith('/')) fail('CB-08-0004');
  return { kind: 'request', method, targetUri: `${publicUrl}${target}`, fields };
};

const publicKeyOf = (der: Buffer): KeyObject => createPublicKey({ key: der, format: 'der', type: 'spki' });

const hasField = ({ fields }: RequestDescriptor, header: string): boolean =>
  fields.some(({ name }) => name === header);

/** Maps the library's errors to codes of the catalogue. */
const withCatalogueErrors = async <T>(
  { targetUri }: RequestDescriptor,
  verifying: Promise<T>,
): Promise<T> => {
  try {
    return await verifying;
  } catch (error) {
    if (!isSignatureError(error)) throw error;
    if (error.code === SignatureErrorCode.ResolverFailed) throw error.cause;
    if (error.code === SignatureErrorCode.VerificationFailed)
      return fail('CB-08-0011', { values: { uri: targetUri } });
    // The only policy that is left to the library.
    if (error.code === SignatureErrorCode.PolicyViolation) return fail('CB-08-0005');
    const component = /^Missing field (\S+)$/.exec(error.message)?.[1];
    if (component !== undefined && !component.startsWith('signature'))
      return fail('CB-08-0007', { values: { name: component } });
    return fail('CB-08-0004');
  }
};

const emptyDigest = createHash('sha256').digest();

/** @throws Failure CB-08-0013 without a readable SHA-256, or if a missing body does not match it */
const digestOf = ({ fields }: RequestDescriptor, { hasBody }: SignedRequest): Buffer | undefined => {
  const field = fields.filter(({ name }) => name === 'content-digest').map(({ value }) => value);
  const digest = sha256Of(field.join(', ')) ?? fail('CB-08-0013');
  if (hasBody) return digest;
  return digest.equals(emptyDigest) ? undefined : fail('CB-08-0013');
};

const principalOf = ({ userId, email, person, ...used }: UsedKey): VerifiedRequest['principal'] => ({
  userId,
  email,
  name: person,
  sessionId: null,
  sessionBeganAt: null,
  key: {
    id: used.id,
    name: used.name,
    orgId: used.orgId,
    tenantId: used.tenantId,
    partnerCode: used.partnerCode,
    expiresAt: used.expiresAt,
    rights: used.rights,
  },
});
