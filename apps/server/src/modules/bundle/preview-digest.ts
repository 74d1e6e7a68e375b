import { createHash } from 'node:crypto';
import type { BundlePrice } from '@simcube/contract/price';
import type { Sql } from '../../platform/db/index.ts';
import { fail } from '../../platform/http/index.ts';

interface Line {
  bundle: { code: string };
  /** What the SIMs have now. */
  current?: { code: string };
  orders: number;
  at_once?: number;
  price: BundlePrice | null;
}

/** A digest of what would be ordered, independent of the order of its lines. */
export const digestOf = (lines: readonly Line[]): string => {
  const facts = lines.map(({ bundle, current, orders, at_once: startingNow, price }) =>
    JSON.stringify([bundle.code, current?.code, orders, startingNow, price]),
  );
  return createHash('sha256').update(facts.toSorted().join('\n')).digest('hex');
};

/**
 * For an order: compares, in the transaction that accepts it, what would be ordered now with what was agreed
 * to.
 * @param previewDigest digest of a preview; undefined if none was sent
 * @returns `checkPreview`, which throws Failure CB-02-0009 when it differs
 */
export const checkAgainstPreview = <A>(
  previewDigest: string | undefined,
  linesOf: (tx: Sql, allowed: A) => Promise<readonly Line[]>,
): { checkPreview?: (tx: Sql, allowed: A) => Promise<void> } =>
  previewDigest === undefined
    ? {}
    : {
        checkPreview: async (tx, allowed) => {
          if (digestOf(await linesOf(tx, allowed)) !== previewDigest) fail('CB-02-0009');
        },
      };
