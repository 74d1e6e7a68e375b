import { leastOf } from '../counts/greatest.rules.ts';
import type { SimColumns } from '../counts/sim-columns.rules.ts';

/** Usage of SIMs, omitting SIMs with at most `rest` each; a rest of 0 omits none. */
export interface PartialUsage extends Pick<SimColumns, 'sims' | 'volumes'> {
  rest: number;
}

/** Reading all SIMs is faster than looking up more than these. */
const candidatesMost = 20_000;

/**
 * The SIMs that may be among those with the most usage, sorted, with their known usage: a SIM has at most this plus
 * the `rest` of each part that omits it. Undefined if there are too many candidates.
 */
export const candidatesOf = (parts: readonly PartialUsage[], most: number): PartialUsage | undefined => {
  const { sims, sums } = addUp(parts);
  const volumes = new Float64Array(sims.length);
  for (let place = 0; place < volumes.length; place += 1) volumes[place] = sums[2 * place] as number;
  const rest = parts.reduce((sum, part) => sum + part.rest, 0);
  const least = leastOf(volumes, most);
  // A SIM that is in no part may be among them.
  if (rest > 0 && (volumes.length < most || rest >= least)) return undefined;
  const found: number[] = [];
  for (let place = 0; place < volumes.length; place += 1) {
    const possible = (volumes[place] as number) + rest - (sums[2 * place + 1] as number);
    if (possible >= least) found.push(place);
  }
  if (rest > 0 && found.length > candidatesMost) return undefined;
  found.sort((a, b) => (sims[a] as number) - (sims[b] as number));
  return {
    sims: Uint32Array.from(found, (place) => sims[place] as number),
    volumes: Float64Array.from(found, (place) => volumes[place] as number),
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
  const most = filled.reduce((sum, part) => sum + part.sims.length, 0);
  const [sims, sums] = [new Uint32Array(most), new Float64Array(2 * most)];
  /** Position of each SIM in the sums, from 1; indexed by id, because ids are consecutive. */
  const places = new Int32Array(filled.length === 0 ? 0 : last - first + 1);
  let count = 0;
  for (const { sims: own, volumes, rest } of filled) {
    for (let index = 0; index < own.length; index += 1) {
      const sim = own[index] as number;
      let place = (places[sim - first] as number) - 1;
      if (place < 0) {
        place = count;
        count += 1;
        places[sim - first] = count;
        sims[place] = sim;
      }
      sums[2 * place] = (sums[2 * place] as number) + (volumes[index] as number);
      sums[2 * place + 1] = (sums[2 * place + 1] as number) + rest;
    }
  }
  return { sims: sims.subarray(0, count), sums: sums.subarray(0, 2 * count) };
};
