import { createHash } from 'node:crypto';
import { RecentMap } from '../../../platform/recent/index.ts';
import type { ReceivedReceipt } from './receipts.rules.ts';

/** So many are remembered at least. */
export const seenMost = 50_000;

/** What receipts of one message have in common: a digest of its ids and numbers. Undefined for one without an id. */
export const nameOfReceipt = ({ ids, address, sender = '' }: ReceivedReceipt): string | undefined =>
  ids.length === 0
    ? undefined
    : createHash('sha256')
        .update(JSON.stringify([ids, address, sender]))
        .digest('base64')
        .slice(0, 16);

/**
 * Receipts that came lately. Some SMSCs send one again, on the same connection or another, when its message was settled long since:
 * what its number fits then is another message.
 */
export class SeenReceipts {
  readonly #seen = new RecentMap<string, true>(seenMost);

  /** Those that a process before this one has stored. */
  know(names: readonly string[]): void {
    for (const name of names) this.#seen.set(name, true);
  }

  /**
   * Stores the receipt, marked when one with its ids and numbers came before; rejects as `store` does. The SMSC sends one that was
   * not stored again, which then is the first.
   */
  async take(receipt: ReceivedReceipt, store: (marked: ReceivedReceipt) => Promise<void>): Promise<void> {
    const name = nameOfReceipt(receipt);
    if (name === undefined) return store(receipt);
    if (this.#seen.get(name)) return store({ ...receipt, isRepeated: true });
    this.#seen.set(name, true);
    try {
      await store(receipt);
    } catch (error) {
      this.#seen.delete(name);
      throw error;
    }
  }
}
