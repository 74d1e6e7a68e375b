import { dayMs } from '@simcube/contract/time';
import { NumberReader, packNumbers } from '../../platform/packed/index.ts';

/** Long enough that a view of a month reads few rows, short enough that any month contains two. */
export const daysPerGroup = 8;

/** The first day of the group that contains a day. */
export const groupStart = (day: string): string => {
  const number = Math.floor(Date.parse(day) / dayMs);
  return new Date((number - (number % daysPerGroup)) * dayMs).toISOString().slice(0, 10);
};

/** Usage of the hexagons of a resolution, in columns, ordered by number. */
export interface HexagonColumns {
  /** -1 for cells with unknown coordinates. */
  hexagons: number[];
  bytes: number[];
  sims: number[];
  sessions: number[];
}

/** Packs each hexagon's distance from the previous number, bytes, SIMs and sessions. */
export const packHexagons = ({ hexagons, bytes, sims, sessions }: HexagonColumns): Buffer =>
  packNumbers((add) => {
    let last = -1;
    for (const [index, hexagon] of hexagons.entries()) {
      add(hexagon - last);
      last = hexagon;
      for (const amounts of [bytes, sims, sessions]) add(amounts[index] ?? 0);
    }
  });

export interface HexagonCounts {
  hexagon: number;
  bytes: number;
  sims: number;
  sessions: number;
}

/** Calls back with each hexagon of a pack, in order. */
export const forEachHexagon = (packed: Uint8Array, visit: (counts: HexagonCounts) => void): void => {
  const reader = new NumberReader(packed);
  const counts = { hexagon: -1, bytes: 0, sims: 0, sessions: 0 };
  while (!reader.isDone()) {
    counts.hexagon += reader.next();
    counts.bytes = reader.next();
    counts.sims = reader.next();
    counts.sessions = reader.next();
    visit(counts);
  }
};

/** Combines several packs. */
export const combinePacks = (packs: readonly Uint8Array[]): Buffer => {
  const sums = new Map<number, HexagonCounts>();
  for (const pack of packs) {
    forEachHexagon(pack, ({ hexagon, bytes, sims, sessions }) => {
      const found = sums.get(hexagon);
      if (!found) {
        sums.set(hexagon, { hexagon, bytes, sims, sessions });
        return;
      }
      found.bytes += bytes;
      found.sims += sims;
      found.sessions += sessions;
    });
  }
  const all = [...sums.values()].sort((a, b) => a.hexagon - b.hexagon);
  return packHexagons({
    hexagons: all.map(({ hexagon }) => hexagon),
    bytes: all.map(({ bytes }) => bytes),
    sims: all.map(({ sims }) => sims),
    sessions: all.map(({ sessions }) => sessions),
  });
};
