/** The world as a square of 1,000 units (Mercator): shapes keep their form at every zoom. */
export const worldSize = 1000;
/** Beyond this latitude nobody uses a SIM, and the projection is unbounded. */
const maxLatitude = 84;
const radians = Math.PI / 180;

export const xOf = (longitude: number): number => ((longitude + 180) / 360) * worldSize;
export const yOf = (latitude: number): number => {
  const clamped = Math.max(-maxLatitude, Math.min(maxLatitude, latitude));
  return (0.5 - Math.log(Math.tan(Math.PI / 4 + (clamped * radians) / 2)) / (2 * Math.PI)) * worldSize;
};
const longitudeOf = (x: number): number => (x / worldSize) * 360 - 180;
const latitudeOf = (y: number): number =>
  (2 * Math.atan(Math.exp((0.5 - y / worldSize) * 2 * Math.PI)) - Math.PI / 2) / radians;

/** A part of the map, in its own units. */
export interface View {
  x: number;
  y: number;
  width: number;
}

/** A part of the world, in degrees. */
export interface Box {
  west: number;
  south: number;
  east: number;
  north: number;
}

/** Ratio of height to width. */
export const aspectRatio = 0.74;
export const wholeWorld: View = { x: 0, y: yOf(80), width: worldSize };
const minWidth = 6;

/** Limits a view to the world and to the allowed range of zoom. */
export const clampView = ({ x, y, width }: View): View => {
  const wide = Math.max(minWidth, Math.min(worldSize, width));
  const high = wide * aspectRatio;
  const [top, bottom] = [yOf(maxLatitude), yOf(-65)];
  return {
    width: wide,
    x: Math.max(0, Math.min(worldSize - wide, x + (width - wide) / 2)),
    y: Math.max(top, Math.min(Math.max(top, bottom - high), y + ((width - wide) * aspectRatio) / 2)),
  };
};

/** Zooms in (less than 1) or out; the point at these fractions of width and height keeps its position. */
export const zoomView = ({ x, y, width }: View, by: number, at = { x: 0.5, y: 0.5 }): View => {
  const wide = Math.max(minWidth, Math.min(worldSize, width * by));
  return clampView({ x: x + (width - wide) * at.x, y: y + (width - wide) * aspectRatio * at.y, width: wide });
};

export const panView = ({ x, y, width }: View, by: { x: number; y: number }): View =>
  clampView({ x: x + by.x * width, y: y + by.y * width * aspectRatio, width });

/** Left, top, right, bottom. */
export type Bounds = readonly [number, number, number, number];

/** The share of the total weight that a view may leave out to zoom in on the rest. */
const maxOmittedShare = 0.15;
/** The view must shrink to less than this factor to be worth it. */
const minShrinkFactor = 0.6;

/** Bounds without outliers of low weight whose removal makes the view of the rest much smaller. */
export const withoutOutliers = (parts: readonly { bounds: Bounds; weight: number }[]): Bounds[] => {
  const weightOf = (some: typeof parts) => some.reduce((sum, { weight }) => sum + weight, 0);
  const widthOf = (some: typeof parts) => viewAround(some.map(({ bounds }) => bounds)).width;
  const least = weightOf(parts) * (1 - maxOmittedShare);
  let remaining = parts;
  for (;;) {
    const [nearest] = remaining
      .map((one) => remaining.filter((other) => other !== one))
      .filter((rest) => rest.length > 0 && weightOf(rest) >= least)
      .sort((a, b) => widthOf(a) - widthOf(b));
    if (!nearest || widthOf(nearest) > minShrinkFactor * widthOf(remaining))
      return remaining.map(({ bounds }) => bounds);
    remaining = nearest;
  }
};

/** The shares of the height, at the top and at the bottom, that facts and a legend over the map cover. */
const [factsHeight, legendHeight] = [0.08, 0.16];

/** The view that shows all bounds, with a margin, between the facts and the legend. */
export const viewAround = (bounds: readonly Bounds[]): View => {
  if (bounds.length === 0) return wholeWorld;
  const left = Math.min(...bounds.map((one) => one[0]));
  const top = Math.min(...bounds.map((one) => one[1]));
  const right = Math.max(...bounds.map((one) => one[2]));
  const bottom = Math.max(...bounds.map((one) => one[3]));
  const visibleRatio = aspectRatio * (1 - factsHeight - legendHeight);
  const width = Math.max(minWidth * 3, (right - left) * 1.2, ((bottom - top) * 1.1) / visibleRatio);
  const y = (top + bottom - width * visibleRatio) / 2 - width * aspectRatio * factsHeight;
  return clampView({ x: (left + right - width) / 2, y, width });
};

export const boxOf = ({ x, y, width }: View): Box => ({
  west: longitudeOf(x),
  east: longitudeOf(x + width),
  north: latitudeOf(y),
  south: latitudeOf(y + width * aspectRatio),
});

/** The position on the map under a point of its drawing, in pixels from the top left. */
export const positionIn = (
  { x, y, width }: View,
  point: { x: number; y: number },
  drawing: { width: number; height: number },
): { x: number; y: number } => {
  // The view covers the whole drawing, with their centres aligned.
  const unit = Math.min(width / drawing.width, (width * aspectRatio) / drawing.height);
  return {
    x: x + width / 2 + (point.x - drawing.width / 2) * unit,
    y: y + (width * aspectRatio) / 2 + (point.y - drawing.height / 2) * unit,
  };
};

/** A view around one position, close enough to tell it from its neighbours. */
export const closeUp = ({ latitude, longitude }: { latitude: number; longitude: number }): View => {
  const width = minWidth * 2;
  return clampView({ x: xOf(longitude) - width / 2, y: yOf(latitude) - (width * aspectRatio) / 2, width });
};
