import { addDays, addMonths, daysFrom } from '../../platform/clock/business-day.ts';
import { type Coordinates, hexagonsOfWorld, indexOf, shapeOf } from '../place/index.ts';

/** The stored H3 resolutions: edges of 182 km to 10 km. */
export const [coarsest, finest] = [2, 5];

export interface Period {
  from: string;
  to: string;
}

/** The days of a period that are over: the running one is not compared with whole ones. Undefined if there are none. */
export const completeDays = ({ from, to }: Period, today: string): Period | undefined => {
  const last = addDays(today, -1);
  if (from > last) return undefined;
  return { from, to: to < last ? to : last };
};

/**
 * The period to compare with: the same days of the previous month (up to its last day) if the period begins with a
 * month and lies within it, else the same number of days just before.
 */
export const periodBefore = ({ from, to }: Period): Period => {
  const month = from.slice(0, 7);
  if (from.endsWith('-01') && to.startsWith(month)) {
    const before = addMonths(month, -1);
    const last = addDays(`${month}-01`, -1);
    const same = `${before}-${to.slice(8)}`;
    return { from: `${before}-01`, to: same < last ? same : last };
  }
  const count = daysFrom(from, to).length;
  return { from: addDays(from, -count), to: addDays(from, -1) };
};

/** The months of a period, by their first days, with the period's days in each: bit 0 is the first. */
export const monthsOf = ({ from, to }: Period): { month: string; days: number }[] => {
  const months = new Map<string, number>();
  for (const day of daysFrom(from, to)) {
    const month = `${day.slice(0, 7)}-01`;
    months.set(month, (months.get(month) ?? 0) | (1 << (Number(day.slice(8)) - 1)));
  }
  return [...months].map(([month, days]) => ({ month, days }));
};

/** A part of the world; `west` is greater than `east` if it crosses the date line. */
export interface Box {
  west: number;
  south: number;
  east: number;
  north: number;
}

const widthOf = ({ west, east }: Box) => (east >= west ? east - west : east - west + 360);

/** The resolution whose hexagons are neither too small nor too large for a part of the world. */
export const resolutionOf = (box: Box): number => {
  const width = Math.min(360, widthOf(box));
  if (width > 130) return 2;
  if (width > 50) return 3;
  return width > 18 ? 4 : 5;
};

/** Whether a place is in the part, or near enough to be the centre of a hexagon that reaches into it. */
export const isWithin = ({ latitude, longitude }: Coordinates, box: Box, marginDegrees: number): boolean => {
  if (latitude < box.south - marginDegrees || latitude > box.north + marginDegrees) return false;
  // Near a pole every longitude is close.
  if (Math.abs(latitude) + marginDegrees >= 90) return true;
  const radians = Math.PI / 180;
  const longitudeMargin =
    Math.asin(Math.sin(marginDegrees * radians) / Math.cos(latitude * radians)) / radians;
  const width = widthOf(box) + 2 * longitudeMargin;
  const east = (((longitude - box.west + longitudeMargin) % 360) + 360) % 360;
  return width >= 360 || east <= width;
};

/** Maximum distance in degrees from the centre of a hexagon to its corners. */
export const reachOf: Readonly<Record<number, number>> = {
  1: 4.8,
  2: 1.85,
  3: 0.7,
  4: 0.27,
  5: 0.1,
};

let parents: { hexagon: number; centre: Coordinates }[] | undefined;
const parentsOfWorld = () => {
  parents ??= hexagonsOfWorld().map((hexagon) => ({ hexagon, centre: shapeOf(indexOf(hexagon, 1)).centre }));
  return parents;
};

export interface Ranges {
  from: number[];
  before: number[];
}

/** Numbers of a resolution's hexagons that may be in a part of the world, as ordered ranges. */
export const rangesOf = (box: Box, resolution: number): Ranges => {
  const shift = 8 ** (resolution - 1);
  const ranges: Ranges = { from: [], before: [] };
  for (const { hexagon, centre } of parentsOfWorld()) {
    // Children extend slightly beyond their parents.
    if (!isWithin(centre, box, (reachOf[1] ?? 0) * 1.2)) continue;
    if (ranges.before.at(-1) === hexagon * shift)
      ranges.before[ranges.before.length - 1] = (hexagon + 1) * shift;
    else {
      ranges.from.push(hexagon * shift);
      ranges.before.push((hexagon + 1) * shift);
    }
  }
  return ranges;
};

const thousandths = (degrees: number) => Math.round(degrees * 1000);
/** The shorter way around the world. */
const wrapLongitude = (degrees: number) => ((((degrees + 180) % 360) + 360) % 360) - 180;

export type Outline = readonly [number, number, number, number, number, number];

/** Centre and two corners of a hexagon, in the contract's form. */
export const outlineOf = (centre: Coordinates, corners: readonly Coordinates[]): Outline => {
  const from = (corner: Coordinates | undefined) => [
    thousandths(wrapLongitude((corner ?? centre).longitude - centre.longitude)),
    thousandths((corner ?? centre).latitude - centre.latitude),
  ];
  const [x1 = 0, y1 = 0] = from(corners[0]);
  const [x2 = 0, y2 = 0] = from(corners[1]);
  return [thousandths(centre.longitude), thousandths(centre.latitude), x1, y1, x2, y2];
};
