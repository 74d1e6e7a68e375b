import { NumberReader } from '../../../platform/packed/index.ts';
import { nthLargest } from '../counts/nth-largest.rules.ts';
import { columnsOf, indexInSorted, type SimColumns } from '../counts/sim-columns.rules.ts';
import type { SimAmounts } from '../counts/sim-counts.rules.ts';
import { candidatesOf, type PartialUsage } from './candidates.rules.ts';
import { SimTally } from './sim-tally.rules.ts';
import type { Amounts, Distinct, Figures } from './sums.rules.ts';

interface Pack extends SimColumns {
  packed: Uint8Array;
  isLate: boolean;
  /** The highest usage of a SIM that it omits, at least 1; 0 if it has all. */
  rest: number;
}

/** What was looked up for a SIM in a pack. */
interface Part extends Omit<SimAmounts, 'sim'> {
  /** Packed as a set. */
  sessions: Uint8Array;
  isLate: boolean;
}

/** A SIM's figures from records outside the packs. */
interface RemainingFigures {
  sim: number;
  amounts: Amounts;
  /** Session numbers, distinct. */
  sessions: readonly number[];
  /** Number of other sessions, which have no number yet. */
  unnumbered: number;
}

/** Adds up figures by SIM from packs and other records, counting each session once. */
export class SimSums {
  readonly #packs: Pack[] = [];
  readonly #remaining = new Map<number, RemainingFigures>();
  /** SIMs that were looked up. */
  readonly #found = new Map<number, Part[]>();
  readonly #tally = new SimTally();
  #candidates: PartialUsage | undefined;

  /** @param rest the highest usage of a SIM that the pack omits, at least 1; 0 if it has all */
  addPack(packed: Uint8Array, { isLate, rest }: { isLate: boolean; rest: number }): void {
    this.#packs.push({ ...columnsOf(packed), packed, isLate, rest });
  }

  /** @param remaining at most one call for each SIM */
  addRecords(remaining: RemainingFigures): void {
    this.#remaining.set(remaining.sim, remaining);
  }

  /** Adds a SIM that was looked up in a pack, with its sessions as a packed set. */
  addFound(
    { sim, records, up_bytes, down_bytes }: SimAmounts,
    { sessions, isLate }: { sessions: Uint8Array; isLate: boolean },
  ): void {
    const parts = this.#found.get(sim);
    const part = { records, up_bytes, down_bytes, sessions, isLate };
    if (parts) parts.push(part);
    else this.#found.set(sim, [part]);
  }

  /**
   * The SIMs that may be among those with the most usage and must be looked up in the packs that omit them: by the
   * position of the pack, sorted. Undefined if there are too many.
   */
  listOmitted(limit: number): number[][] | undefined {
    const sims = this.#findCandidates(limit)?.sims;
    return sims && this.#packs.map((pack) => (pack.rest === 0 ? [] : missingFrom(pack.sims, sims)));
  }

  /** The SIMs with the most usage, of all or of the given ones. */
  figures({ limit, only }: { limit: number; only: readonly number[] | undefined }): Figures {
    const figures: Figures = new Map();
    for (const sim of only ?? this.#topSims(limit)) {
      const found = this.#figuresOf(sim);
      if (found.records > 0) figures.set(String(sim), found);
    }
    return figures;
  }

  #findCandidates(limit: number): PartialUsage | undefined {
    this.#candidates ??= candidatesOf([...this.#packs, this.#remainingUsage()], limit);
    return this.#candidates;
  }

  #remainingUsage(): PartialUsage {
    const all = [...this.#remaining.values()].sort((a, b) => a.sim - b.sim);
    return {
      sims: Uint32Array.from(all, ({ sim }) => sim),
      volumes: Float64Array.from(all, ({ amounts }) => volumeOf(amounts)),
      rest: 0,
    };
  }

  #topSims(limit: number): number[] {
    const { sims = Uint32Array.of(), volumes = Float64Array.of() } = this.#findCandidates(limit) ?? {};
    const sums = volumes.map((volume, position) =>
      (this.#found.get(sims[position] as number) ?? []).reduce((sum, part) => sum + volumeOf(part), volume),
    );
    const minVolume = nthLargest(sums, limit);
    return Array.from(sims, (sim, position) => ({ sim, volume: sums[position] as number }))
      .filter(({ volume }) => volume >= minVolume)
      .sort((a, b) => b.volume - a.volume || (String(a.sim) < String(b.sim) ? -1 : 1))
      .slice(0, limit)
      .map(({ sim }) => sim);
  }

  #figuresOf(sim: number): Amounts & Distinct {
    const tally = this.#tally;
    const remaining = this.#remaining.get(sim);
    tally.begin(remaining?.amounts, remaining?.sessions ?? []);
    for (const { sims, offsets, packed, isLate } of this.#packs) {
      const index = indexInSorted(sims, sim);
      if (index === undefined) continue;
      const reader = new NumberReader(packed, offsets[index]);
      tally.add(reader.next(), reader.next(), reader.next(), isLate);
      tally.addSessions(reader, reader.next());
    }
    for (const { records, up_bytes, down_bytes, sessions, isLate } of this.#found.get(sim) ?? []) {
      tally.add(records, up_bytes, down_bytes, isLate);
      tally.addSessions(new NumberReader(sessions), sessions.length);
    }
    return tally.figures(remaining?.unnumbered ?? 0);
  }
}

const volumeOf = ({ up_bytes, down_bytes }: { up_bytes: number; down_bytes: number }): number =>
  up_bytes + down_bytes;

/** The SIMs that a pack does not have; both are sorted. */
const missingFrom = (own: Uint32Array, sims: Uint32Array): number[] => {
  const found: number[] = [];
  let position = 0;
  for (const sim of sims) {
    while (position < own.length && (own[position] as number) < sim) position += 1;
    if (own[position] !== sim) found.push(sim);
  }
  return found;
};
