import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';

/** Seals small secrets at rest (AES-256-GCM) with the installation's key. */
export interface Vault {
  seal(plain: string): Buffer;
  /** @throws UnsealError when none of the vault's keys sealed it, or the octets were changed */
  open(sealed: Buffer): string;
}

/** A sealed value can't be opened: it was sealed with another key, or its octets were changed. */
export class UnsealError extends Error {
  constructor() {
    super('A sealed secret could not be opened: it was sealed with another key, or changed since');
  }
}

const nonceBytes = 12;
const tagBytes = 16;
const overheadBytes = nonceBytes + tagBytes;
export const keyBytes = 32;

/** A vault with one fixed key, for example in tests. */
export const vaultOf = (key: Buffer): Vault => ({
  seal(plain) {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]);
  },
  open(sealed) {
    if (sealed.length < overheadBytes) throw new UnsealError();
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes));
      decipher.setAuthTag(sealed.subarray(nonceBytes, overheadBytes));
      return Buffer.concat([decipher.update(sealed.subarray(overheadBytes)), decipher.final()]).toString(
        'utf8',
      );
    } catch {
      throw new UnsealError();
    }
  },
});

/**
 * The vault of a process, whose key may be exchanged while it runs: it seals with the newest key and also opens
 * with earlier ones, for values sealed just before the exchange.
 */
export interface KeyRing extends Vault {
  /** Check value of the sealing key, see `keyCheckOf`. */
  readonly check: string;
  /** Seals with this key from now on. */
  switchTo(key: Buffer): void;
  /** Whether the current key sealed this value. */
  isCurrent(sealed: Buffer): boolean;
}

export const keyRingOf = (first: Buffer): KeyRing => {
  let current = vaultOf(first);
  let check = keyCheckOf(first);
  const previous: Vault[] = [];
  return {
    get check() {
      return check;
    },
    switchTo(key) {
      if (keyCheckOf(key) === check) return;
      previous.unshift(current);
      current = vaultOf(key);
      check = keyCheckOf(key);
    },
    isCurrent: (sealed) => tryOpen(current, sealed) !== undefined,
    seal: (plain) => current.seal(plain),
    open(sealed) {
      for (const vault of [current, ...previous]) {
        const plain = tryOpen(vault, sealed);
        if (plain !== undefined) return plain;
      }
      throw new UnsealError();
    },
  };
};

/** A vault without a key: every use fails with the reason. */
export const closedVault = (reason: Error): KeyRing => {
  const refuse = (): never => {
    throw reason;
  };
  return {
    seal: refuse,
    open: refuse,
    switchTo: refuse,
    isCurrent: refuse,
    get check() {
      return refuse();
    },
  };
};

const tryOpen = (vault: Vault, sealed: Buffer): string | undefined => {
  try {
    return vault.open(sealed);
  } catch (error) {
    if (error instanceof UnsealError) return undefined;
    throw error;
  }
};

/** Stored in the database to verify that a key is the installation's; the key can't be derived from it. */
export const keyCheckOf = (key: Buffer): string =>
  createHmac('sha256', key).update('simcube sealing key, check value 1').digest('hex');

/** SHA-256, the form in which tokens are stored. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();
