import { createHash } from 'node:crypto';

/** A digest of the SIMs, independent of their order. */
export const digestOfSims = (allowed: readonly { sim: { id: number } }[]): string => {
  const ids = allowed.map(({ sim }) => sim.id).toSorted((a, b) => a - b);
  return createHash('sha256').update(ids.join()).digest('hex');
};
