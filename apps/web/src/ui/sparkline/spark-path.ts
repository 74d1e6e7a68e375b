interface Spark {
  values: readonly number[];
  /** The last value is not all yet: it stands alone, no line falls to it, and it does not press the others together. */
  unfinished: boolean;
  width: number;
  height: number;
}

interface SparkPaths {
  line: string;
  /** Where what is known so far of an unfinished period stands. */
  soFar: { x: number; y: number } | undefined;
}

const inset = 1.5;
/** Days that differ by less than this share of the highest look as calm as they are; the line stays in the middle. */
const calm = 0.4;
const round = (value: number): number => Math.round(value * 10) / 10;

/** A line from point to point. */
const pathOf = (points: readonly string[]): string =>
  points.map((point, index) => `${index === 0 ? 'M' : 'L'}${point}`).join('');

/** An SVG path through the values; nothing when there is no line to draw (no value, or all zero). */
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
