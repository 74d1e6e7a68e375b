import type { Claim } from './queue.queries.ts';

interface OpenClaim {
  id: number;
  remaining: number;
}

/** Parts claimed by this process whose result is not stored yet. */
export class Claims {
  readonly #byPart = new Map<number, OpenClaim>();
  /** Claims without remaining parts that no transaction has ended yet. */
  #completed = new Set<number>();
  /** The last part considered for a claim: earlier ones are claimed or settled, or became visible late. */
  after = 0;

  add({ id, parts, withheld }: Claim): void {
    const all = [...parts, ...withheld];
    const claim = { id, remaining: all.length };
    for (const part of all) this.#byPart.set(part.id, claim);
    this.after = all.reduce((last, part) => Math.max(last, part.id), this.after);
  }

  /** @returns the claims to end in the transaction that settles these parts, because none of their parts remain then */
  completedBy(partIds: readonly number[]): number[] {
    const counts = new Map<OpenClaim, number>();
    for (const partId of new Set(partIds)) {
      const claim = this.#byPart.get(partId);
      if (claim) counts.set(claim, (counts.get(claim) ?? 0) + 1);
    }
    return [
      ...this.#completed,
      ...[...counts].flatMap(([{ id, remaining }, count]) => (count === remaining ? [id] : [])),
    ];
  }

  /** To be called after the transaction that settled these parts and ended these claims is committed. */
  settle(partIds: readonly number[], ended: readonly number[]): void {
    for (const partId of partIds) {
      const claim = this.#byPart.get(partId);
      this.#byPart.delete(partId);
      if (!claim) continue;
      claim.remaining -= 1;
      if (claim.remaining === 0) this.#completed.add(claim.id);
    }
    for (const id of ended) this.#completed.delete(id);
  }
}
