import { cellToBoundary, cellToLatLng, isValidCell, latLngToCell } from 'h3-js';

/** The finest H3 resolution that maps show; its hexagons have 25-bit numbers. */
export const finestResolution = 6;
const maxH3Resolution = 15n;
const bitsPerDigit = 3n;
/** Mode 1 of an index: a cell (H3, "Index representation"). */
const cellMode = 1n << 59n;

export interface Coordinates {
  latitude: number;
  longitude: number;
}

/** The number of the finest hexagon that contains a place. */
export const hexagonOf = ({ latitude, longitude }: Coordinates): number => {
  const index = BigInt(`0x${latLngToCell(latitude, longitude, finestResolution)}`);
  const usedBits = 7n + bitsPerDigit * BigInt(finestResolution);
  return Number(
    (index >> (bitsPerDigit * (maxH3Resolution - BigInt(finestResolution)))) & ((1n << usedBits) - 1n),
  );
};

/** H3's text form of a hexagon at a resolution. */
export const indexOf = (hexagon: number, resolution: number): string => {
  const unused = bitsPerDigit * (maxH3Resolution - BigInt(resolution));
  const index = cellMode | (BigInt(resolution) << 52n) | (BigInt(hexagon) << unused) | ((1n << unused) - 1n);
  return index.toString(16);
};

/** The numbers of the 842 hexagons of resolution 1, in order; finer ones have these as prefixes. */
export const hexagonsOfWorld = (): number[] =>
  Array.from({ length: 122 * 8 }, (_, hexagon) => hexagon).filter(
    (hexagon) => hexagon % 8 < 7 && isValidCell(indexOf(hexagon, 1)),
  );

/** Centre and corners of a hexagon, in degrees. */
export const shapeOf = (index: string): { centre: Coordinates; corners: Coordinates[] } => {
  const [latitude, longitude] = cellToLatLng(index);
  return {
    centre: { latitude, longitude },
    corners: cellToBoundary(index).map(([lat, lng]) => ({ latitude: lat, longitude: lng })),
  };
};
