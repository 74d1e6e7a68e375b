interface Figure {
  value: number;
  compared_with: number | null;
}

/** By how much a figure grew, as a ratio; undefined where there is nothing to compare with. */
export const growth = ({ value, compared_with: before }: Figure): number | undefined =>
  before === null || before === 0 ? undefined : (value - before) / before;

/** The difference in pieces; undefined where there is nothing to compare with. */
export const difference = ({ value, compared_with: before }: Figure): number | undefined =>
  before === null ? undefined : value - before;
