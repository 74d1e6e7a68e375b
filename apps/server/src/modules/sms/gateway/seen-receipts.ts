import { createHash } from 'node:crypto';
import { RecentMap } from '../../../platform/recent/index.ts';
import type { ReceivedReceipt } from './receipts.rules.ts';

/** Minimum number of receipts remembered. */
export const maxSeenReceipts = 50_000;

/** Identifies receipts of the same message: a digest of ids and numbers. Undefined for a receipt without an id. */
export const receiptDigest = ({ ids, address, sender = '' }: ReceivedReceipt): string | undefined =>
  ids.length === 0
    ? undefined
    : createHash('sha256')
        .update(JSON.stringify([ids, address, sender]))
        .digest('base64')
        .slice(0, 16);

/**
 * Recently received receipts. Some SMSCs repeat a receipt, on the same connection or another, long after its message
 * was settled; by its number it would then match another message.
 */
export class SeenReceipts {
  readonly #seen = new RecentMap<string, true>(maxSeenReceipts);

  /** Adds receipts that an earlier process has stored. */
  load(names: readonly string[]): void {
    for (const digest of names) this.#seen.set(digest, true);
  }

  /**
   * Stores the receipt, marked as repeated if one with its ids and numbers arrived before; rejects as `store` does.
   * If a receipt was not stored, the SMSC's repetition counts as the first one.
   */
  async store(receipt: ReceivedReceipt, store: (marked: ReceivedReceipt) => Promise<void>): Promise<void> {
    const digest = receiptDigest(receipt);
    if (digest === undefined) return store(receipt);
    if (this.#seen.get(digest)) return store({ ...receipt, isRepeated: true });
    this.#seen.set(digest, true);
    try {
      await store(receipt);
    } catch (error) {
      this.#seen.delete(digest);
      throw error;
    }
  }
}
