import type { Bounds } from './mercator.ts';

export interface Name {
  /** Centre of the country. */
  x: number;
  y: number;
  /** Half of the text's width, in the map's units. */
  half: number;
  /** Of the country, which the name leaves by half at most. */
  bounds: Bounds;
}

/** A line of text, and the height above its base. */
const [line, ascent, gap] = [14, 11, 3];
/** Places to try, in pixels from the centre, nearest first; sideways in halves of the text's width. */
const offsets = [0, 18, -18, 32, -32, 46, -46, 60, -60, 76, -76].flatMap((dy) =>
  [0, -1, 1, -2, 2].map((sideways) => ({ dy, sideways })),
);

/**
 * Where the names of countries stand: at the centre, or as near to it as they cover neither a mark nor another name. A name without
 * such a place within its country stays at the centre.
 *
 * @param unit one pixel, in the map's units
 * @param top above it, facts may cover the map: no name is moved there
 */
export const placeNames = (
  names: readonly Name[],
  { marks, unit, top: covered }: { marks: readonly Bounds[]; unit: number; top: number },
): { x: number; y: number }[] => {
  const taken: Bounds[] = [];
  return names.map((name) => {
    const boxAt = ({ x, y }: { x: number; y: number }): Bounds => [
      x - name.half - gap * unit,
      y - (ascent + gap) * unit,
      x + name.half + gap * unit,
      y + (line + gap + 1) * unit,
    ];
    const [left, top, right, bottom] = name.bounds;
    const places = offsets
      .map(({ dy, sideways }) => ({ x: name.x + sideways * 0.5 * name.half, y: name.y + dy * unit }))
      .filter(({ x, y }) => left <= x && x <= right && Math.max(top, covered) <= y && y <= bottom);
    // Few of thousands of marks are near.
    const [from, to] = [boxAt({ x: left, y: top }), boxAt({ x: right, y: bottom })];
    const near = [...taken, ...marks.filter((mark) => overlap([from[0], from[1], to[2], to[3]], mark))];
    const isFree = (box: Bounds): boolean => !near.some((other) => overlap(box, other));
    const place = places.find((one) => isFree(boxAt(one))) ?? { x: name.x, y: name.y };
    taken.push(boxAt(place));
    return place;
  });
};

const overlap = (one: Bounds, other: Bounds): boolean =>
  one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];
