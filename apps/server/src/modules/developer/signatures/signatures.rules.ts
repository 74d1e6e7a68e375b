import { type ErrorCode, limits } from '@simcube/contract';

/** The only supported algorithm: RSASSA-PKCS1-v1_5 with SHA-256 (RFC 9421, 3.3.2). */
export const algorithm = 'rsa-v1_5-sha256';

/** Maximum length of the signature fields of one call, in characters. */
export const maxFieldsLength = 4096;

/** A refusal, with the name of what failed if it has one. */
export interface Refusal {
  code: ErrorCode;
  name?: string;
}

export interface SignatureClaims {
  /** Names of the covered components without parameters, which cover a whole field or property. */
  components: ReadonlySet<string>;
  parameters: Readonly<Record<string, unknown>>;
}

/** Claims whose form has been checked. */
export interface ValidClaims {
  keyId: string;
  nonce: string;
  /** The signature is no longer valid after this. */
  validUntil: Date;
}

/** The components that a signature must cover: of the organisation's headers, those that were sent. */
export const requiredComponentsFor = (sent: {
  hasBody: boolean;
  tenantId: boolean;
  partnerCode: boolean;
}): string[] => [
  '@method',
  '@target-uri',
  ...(sent.hasBody ? ['content-digest', 'content-type'] : []),
  ...(sent.tenantId ? ['tenant-id'] : []),
  ...(sent.partnerCode ? ['partner-code'] : []),
];

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const noncePattern = new RegExp(
  `^[\\x21-\\x7e]{${limits.signatures.nonce.min},${limits.signatures.nonce.max}}$`,
);

/** Checks the signature's own parameters before any key is looked up. */
export const validateClaims = (
  { components, parameters }: SignatureClaims,
  { required, now }: { required: readonly string[]; now: Date },
): { refusal: Refusal } | ValidClaims => {
  const { alg, keyid, nonce, created, expires } = parameters;
  if (alg === undefined) return missing('alg');
  if (alg !== algorithm) return { refusal: { code: 'CB-08-0005' } };
  if (typeof created !== 'number') return missing('created');
  if (typeof keyid !== 'string') return missing('keyid');
  if (typeof nonce !== 'string' || !noncePattern.test(nonce)) return missing('nonce');
  const uncovered = required.find((name) => !components.has(name));
  if (uncovered !== undefined) return { refusal: { code: 'CB-08-0007', name: uncovered } };
  const seconds = now.getTime() / 1000;
  const { seconds: lifetime, aheadSeconds } = limits.signatures;
  const isTimely = created > seconds - lifetime && created <= seconds + aheadSeconds;
  if (!isTimely || (typeof expires === 'number' && expires <= seconds))
    return { refusal: { code: 'CB-08-0008' } };
  if (!uuid.test(keyid)) return { refusal: { code: 'CB-08-0009' } };
  return { keyId: keyid, nonce, validUntil: new Date((created + lifetime) * 1000) };
};

const missing = (name: string): { refusal: Refusal } => ({ refusal: { code: 'CB-08-0006', name } });

const digestPattern = /^\s*sha-256\s*=:([A-Za-z0-9+/]{43}=):\s*$/;

/** The only SHA-256 in a Content-Digest (RFC 9530, 2), which may also contain other digests. */
export const sha256Of = (field: string): Buffer | undefined => {
  const members = field.split(',').filter((member) => /^\s*sha-256\s*(?:[=;]|$)/.test(member));
  const [encoded] = members.map((member) => digestPattern.exec(member)?.[1]);
  return members.length === 1 && encoded !== undefined ? Buffer.from(encoded, 'base64') : undefined;
};
