import type { Claim } from './queue.queries.ts';

/** Parts that this process has claimed, of which is not stored yet what became of them. */
export class Claims {
  readonly #byPart = new Map<number, { id: number; left: number }>();
  /** The last part that was looked at for a claim: those before are claimed, settled, or came late. */
  after = 0;

  add({ id, parts, orphans }: Claim): void {
    const all = [...parts, ...orphans];
    const claim = { id, left: all.length };
    for (const part of all) this.#byPart.set(part.id, claim);
    this.after = all.reduce((last, part) => Math.max(last, part.id), this.after);
  }

  partIds(): number[] {
    return [...this.#byPart.keys()];
  }

  /** @returns the claims of which nothing is left without these parts */
  endedBy(partIds: readonly number[]): number[] {
    const counts = new Map<{ id: number; left: number }, number>();
    for (const partId of new Set(partIds)) {
      const claim = this.#byPart.get(partId);
      if (claim) counts.set(claim, (counts.get(claim) ?? 0) + 1);
    }
    return [...counts].flatMap(([{ id, left }, count]) => (count === left ? [id] : []));
  }

  settle(partIds: readonly number[]): void {
    for (const partId of partIds) {
      const claim = this.#byPart.get(partId);
      if (claim) claim.left -= 1;
      this.#byPart.delete(partId);
    }
  }
}
