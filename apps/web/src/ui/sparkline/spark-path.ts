interface Spark {
  values: readonly number[];
  width: number;
  height: number;
  fromZero: boolean;
}

const inset = 1.5;
const round = (value: number): number => Math.round(value * 10) / 10;

/** SVG path through the values, or nothing when there is no line to draw (no value, or all zero). */
export const sparkPath = ({ values, width, height, fromZero }: Spark): string | undefined => {
  if (values.length < 2 || values.every((value) => value === 0)) return undefined;
  const low = fromZero ? 0 : Math.min(...values);
  const high = Math.max(...values);
  const span = high - low;
  const room = height - 2 * inset;
  const step = (width - 2 * inset) / (values.length - 1);
  return values
    .map((value, index) => {
      const y = span === 0 ? height / 2 : inset + room * (1 - (value - low) / span);
      return `${index === 0 ? 'M' : 'L'}${round(inset + index * step)} ${round(y)}`;
    })
    .join('');
};
