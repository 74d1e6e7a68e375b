import { createHash } from 'node:crypto';
import type { BundlePrice } from '@simcube/contract/price';
import { fail } from '../../platform/http/index.ts';

interface Line {
  bundle: { code: string };
  /** What the SIMs have now. */
  current?: { code: string };
  orders: number;
  at_once?: number;
  price: BundlePrice | null;
}

/** Of what would be ordered, whatever the order of its lines. */
export const digestOf = (lines: readonly Line[]): string => {
  const facts = lines.map(({ bundle, current, orders, at_once: atOnce, price }) =>
    JSON.stringify([bundle.code, current?.code, orders, atOnce, price]),
  );
  return createHash('sha256').update(facts.toSorted().join('\n')).digest('hex');
};

/** @throws Failure CB-02-0009 when something else would be ordered than was agreed to */
export const requireAgreed = async (
  agreed: string | undefined,
  preview: () => Promise<{ digest: string }>,
): Promise<void> => {
  if (agreed !== undefined && (await preview()).digest !== agreed) fail('CB-02-0009');
};
