import { createHash } from 'node:crypto';
import type { BundlePrice } from '@simcube/contract/price';
import type { Sql } from '../../platform/db/index.ts';
import { fail } from '../../platform/http/index.ts';
import { digestOfSims } from '../sim/index.ts';

interface Line {
  bundle: { code: string };
  /** What the SIMs have now. */
  current?: { code: string };
  orders: number;
  at_once?: number;
  price: BundlePrice | null;
}

type Allowed = readonly { sim: { id: number } }[];

/** A digest of the SIMs and of what would be ordered for them, independent of the order of both. */
export const digestOf = (allowed: Allowed, lines: readonly Line[]): string => {
  const facts = lines.map(({ bundle, current, orders, at_once: startingNow, price }) =>
    JSON.stringify([bundle.code, current?.code, orders, startingNow, price]),
  );
  const parts = [digestOfSims(allowed), ...facts.toSorted()];
  return createHash('sha256').update(parts.join('\n')).digest('hex');
};

/**
 * For an order: compares, in the transaction that accepts it, what would be ordered now with what was agreed
 * to.
 * @throws Failure CB-02-0009 when it differs
 */
export const checkLines =
  <A extends Allowed>(linesOf: (tx: Sql, allowed: A) => Promise<readonly Line[]>) =>
  async (tx: Sql, allowed: A, previewDigest: string): Promise<void> => {
    if (digestOf(allowed, await linesOf(tx, allowed)) !== previewDigest) fail('CB-02-0009');
  };
