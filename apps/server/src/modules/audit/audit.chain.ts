import { createHash } from 'node:crypto';
import { canonicalEntry, type StoredEntry } from './audit.rules.ts';

/** The predecessor's hash for the first entry of a chain. */
export const noHash: Buffer = Buffer.alloc(32);

/** SHA-256 over the hash of the previous entry (32 octets) and the canonical text of this one. */
export const hashOf = (previous: Buffer, entry: StoredEntry): Buffer =>
  createHash('sha256').update(previous).update(canonicalEntry(entry)).digest();
