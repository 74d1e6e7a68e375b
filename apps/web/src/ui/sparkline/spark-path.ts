interface Spark {
  values: readonly number[];
  /** The last value is incomplete: it has a line of its own, and a low one does not flatten the others. */
  unfinished: boolean;
  width: number;
  height: number;
}

interface SparkPaths {
  line: string;
  /** From the last complete value to the incomplete one of an unfinished period. */
  soFar: string | undefined;
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
    return `${round(inset + index * step)} ${Math.min(round(y), height - inset)}`;
  });
  return {
    line: pathOf(points.slice(0, whole.length)),
    soFar: unfinished ? pathOf(points.slice(-2)) : undefined,
  };
};
