/** A quota that a message is taken off: its limit (null: none), and the parts spent. */
export interface SpendableQuota {
  cap: number | null;
  spent: number;
}

/** The smallest remainder of the quotas; null if none has a limit. */
export const remainingOf = (quotas: readonly SpendableQuota[]): number | null =>
  quotas.reduce<number | null>((least, { cap, spent }) => {
    if (cap === null) return least;
    const left = Math.max(0, cap - spent);
    return least === null ? left : Math.min(least, left);
  }, null);

/** How many messages with this many parts the quotas allow, up to the number wanted: messages are not sent in part. */
export const affordable = (
  quotas: readonly SpendableQuota[],
  { parts, requested }: { parts: number; requested: number },
): number => {
  const left = remainingOf(quotas);
  return left === null ? requested : Math.min(requested, Math.floor(left / parts));
};
