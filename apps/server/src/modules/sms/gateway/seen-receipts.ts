import { RecentMap } from '../../../platform/recent/index.ts';
import type { ReceivedReceipt } from './receipts.rules.ts';

/** So many are remembered at least. */
const seenMost = 50_000;

/**
 * Receipts that came lately. Some SMSCs send one again, on the same connection or another, when its message was settled long since:
 * what its number fits then is another message.
 */
export class SeenReceipts {
  readonly #seen = new RecentMap<string, true>(seenMost);

  /**
   * Stores the receipt, marked when one with its ids and numbers came before; rejects as `store` does. The SMSC sends one that was
   * not stored again, which then is the first.
   */
  async take(receipt: ReceivedReceipt, store: (marked: ReceivedReceipt) => Promise<void>): Promise<void> {
    const { ids, address, sender = '' } = receipt;
    if (ids.length === 0) return store(receipt);
    const name = JSON.stringify([ids, address, sender]);
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
