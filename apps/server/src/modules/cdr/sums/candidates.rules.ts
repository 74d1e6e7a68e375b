import { nthLargest } from '../counts/nth-largest.rules.ts';
import type { SimColumns } from '../counts/sim-columns.rules.ts';

/** Usage of SIMs, omitting SIMs with at most `rest` each; a rest of 0 omits none. */
export interface PartialUsage extends Pick<SimColumns, 'sims' | 'volumes'> {
  rest: number;
}

/** Reading all SIMs is faster than looking up more than these. */
const maxCandidates = 20_000;

/**
 * The SIMs that may be among those with the most usage, sorted, with their known usage: a SIM has at most this plus
 * the `rest` of each part that omits it. Undefined if there are too many candidates.
 */
export const candidatesOf = (parts: readonly PartialUsage[], limit: number): PartialUsage | undefined => {
  const { sims, sums } = addUp(parts);
  const volumes = new Float64Array(sims.length);
  for (let position = 0; position < volumes.length; position += 1)
    volumes[position] = sums[2 * position] as number;
  const rest = parts.reduce((sum, part) => sum + part.rest, 0);
  const minVolume = nthLargest(volumes, limit);
  // A SIM that is in no part may be among them.
  if (rest > 0 && (volumes.length < limit || rest >= minVolume)) return undefined;
  const found: number[] = [];
  for (let position = 0; position < volumes.length; position += 1) {
    const possible = (volumes[position] as number) + rest - (sums[2 * position + 1] as number);
    if (possible >= minVolume) found.push(position);
  }
  if (rest > 0 && found.length > maxCandidates) return undefined;
  found.sort((a, b) => (sims[a] as number) - (sims[b] as number));
  return {
    sims: Uint32Array.from(found, (position) => sims[position] as number),
    volumes: Float64Array.from(found, (position) => volumes[position] as number),
    rest,
  };
};

interface AddedUp {
  sims: Uint32Array;
  /** For each SIM its usage, followed by the sum of `rest` of the parts that contain it: adjacent in memory. */
  sums: Float64Array;
}

/** Each SIM once, in no particular order. */
const addUp = (parts: readonly PartialUsage[]): AddedUp => {
  const filled = parts.filter((part) => part.sims.length > 0);
  const first = Math.min(...filled.map((part) => part.sims[0] as number));
  const last = Math.max(...filled.map((part) => part.sims.at(-1) as number));
  const capacity = filled.reduce((sum, part) => sum + part.sims.length, 0);
  const [sims, sums] = [new Uint32Array(capacity), new Float64Array(2 * capacity)];
  /** Position of each SIM in the sums, from 1; indexed by id, because ids are consecutive. */
  const positions = new Int32Array(filled.length === 0 ? 0 : last - first + 1);
  let count = 0;
  for (const { sims: own, volumes, rest } of filled) {
    for (let index = 0; index < own.length; index += 1) {
      const sim = own[index] as number;
      let position = (positions[sim - first] as number) - 1;
      if (position < 0) {
        position = count;
        count += 1;
        positions[sim - first] = count;
        sims[position] = sim;
      }
      sums[2 * position] = (sums[2 * position] as number) + (volumes[index] as number);
      sums[2 * position + 1] = (sums[2 * position + 1] as number) + rest;
    }
  }
  return { sims: sims.subarray(0, count), sums: sums.subarray(0, 2 * count) };
};
