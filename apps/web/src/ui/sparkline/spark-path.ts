interface Spark {
  values: readonly number[];
  width: number;
  height: number;
}

const inset = 1.5;
/** Days that differ by less than this share of the highest look as calm as they are; the line stays in the middle. */
const calm = 0.4;
const round = (value: number): number => Math.round(value * 10) / 10;

/** A line from point to point. */
const pathOf = (points: readonly string[]): string =>
  points.map((point, index) => `${index === 0 ? 'M' : 'L'}${point}`).join('');

/**
 * SVG paths through the values, the way to the last one apart; nothing when there is no line to draw (no value, or all
 * zero).
 */
export const sparkPaths = ({ values, width, height }: Spark): { until: string; last: string } | undefined => {
  if (values.length < 2 || values.every((value) => value === 0)) return undefined;
  const low = Math.min(...values);
  const high = Math.max(...values);
  const span = Math.max(high - low, high * calm);
  const bottom = (low + high - span) / 2;
  const room = height - 2 * inset;
  const step = (width - 2 * inset) / (values.length - 1);
  const points = values.map((value, index) => {
    const y = inset + room * (1 - (value - bottom) / span);
    return `${round(inset + index * step)} ${round(y)}`;
  });
  return { until: pathOf(points.slice(0, -1)), last: pathOf(points.slice(-2)) };
};
