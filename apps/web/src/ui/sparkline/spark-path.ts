interface Spark {
  values: readonly number[];
  /** The last value is incomplete: drawn as a separate dot without a line to it, and a low one does not flatten the others. */
  unfinished: boolean;
  width: number;
  height: number;
}

interface SparkPaths {
  line: string;
  /** Position of the incomplete value of an unfinished period. */
  soFar: { x: number; y: number } | undefined;
}

const inset = 1.5;
/** Days that differ by less than this share of the maximum are not exaggerated; the line stays in the middle. */
const calm = 0.4;
const round = (value: number): number => Math.round(value * 10) / 10;

/** A line through the points. */
const pathOf = (points: readonly string[]): string =>
  points.map((point, index) => `${index === 0 ? 'M' : 'L'}${point}`).join('');

/** An SVG path through the values; undefined if there is no line to draw (fewer than two values, or all zero). */
export const sparkPaths = ({ values, unfinished, width, height }: Spark): SparkPaths | undefined => {
  if (values.length < 2 || values.every((value) => value === 0)) return undefined;
  const whole = unfinished ? values.slice(0, -1) : values;
  const low = Math.min(...whole);
  const high = Math.max(...values);
  const span = Math.max(high - low, high * calm);
  const bottom = (low + high - span) / 2;
  const room = height - 2 * inset;
  const step = (width - 2 * inset) / (values.length - 1);
  const points = values.map((value, index) => {
    const y = inset + room * (1 - (value - bottom) / span);
    return { x: round(inset + index * step), y: Math.min(round(y), height - inset) };
  });
  const line = points.slice(0, whole.length).map(({ x, y }) => `${x} ${y}`);
  return { line: pathOf(line), soFar: unfinished ? points.at(-1) : undefined };
};
