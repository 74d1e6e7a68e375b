interface Label {
  /** Position of its point, in pixels. */
  x: number;
  width: number;
}

const gap = 12;
/** Between a point and the label beside it. */
const maxDistance = 24;

/**
 * The starts of the labels of a time line, each under its point or moved just beside it where others are near; undefined if
 * there is no room for all. Labels are in the order of their points.
 */
export const labelStarts = (labels: readonly Label[], lineWidth: number): number[] | undefined => {
  const starts: number[] = [];
  for (const { x, width } of labels) {
    const before = starts.length - 1;
    const free = before < 0 ? 0 : (starts[before] ?? 0) + (labels[before]?.width ?? 0) + gap;
    starts.push(Math.max(free, x - width / 2));
  }
  let end = lineWidth;
  for (const [index, { width }] of [...labels.entries()].toReversed()) {
    const start = Math.min(starts[index] ?? 0, end - width);
    starts[index] = start;
    end = start - gap;
  }
  const areNear = labels.every(({ x, width }, index) => {
    const start = starts[index] ?? 0;
    return start >= 0 && x >= start - maxDistance && x <= start + width + maxDistance;
  });
  return areNear ? starts : undefined;
};
