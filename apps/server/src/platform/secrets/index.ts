import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Seals small secrets at rest (AES-256-GCM) with the installation's key. */
export interface Vault {
  seal(plain: string): Buffer;
  /** @throws Error when the key is not the one that sealed it, or the bytes were changed. */
  open(sealed: Buffer): string;
}

const nonceBytes = 12;
const tagBytes = 16;

export const vaultOf = (key: Buffer): Vault => ({
  seal(plain) {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]);
  },
  open(sealed) {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes));
    decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
    const body = sealed.subarray(nonceBytes + tagBytes);
    return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
  },
});

/** The vault of the installation: the key of the settings, else one made once under the data directory. */
export const openVault = async (options: {
  secretKey: string | undefined;
  dataDir: string;
}): Promise<Vault> => {
  if (options.secretKey) return vaultOf(Buffer.from(options.secretKey, 'hex'));
  const file = join(options.dataDir, 'secret.key');
  await mkdir(dirname(file), { recursive: true });
  try {
    // `wx`: of two processes that start together, one writes and the other reads what it wrote.
    await writeFile(file, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 });
    await chmod(file, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return vaultOf(Buffer.from((await readFile(file, 'utf8')).trim(), 'hex'));
};

/** SHA-256, the form in which tokens are stored. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();
