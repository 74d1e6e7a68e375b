interface Figure {
  value: number;
  compared_with: number | null;
}

/** Growth of a figure as a ratio; undefined if there is nothing to compare with. */
export const growth = ({ value, compared_with: before }: Figure): number | undefined =>
  before === null || before === 0 ? undefined : (value - before) / before;

/** The absolute difference; undefined if there is nothing to compare with. */
export const difference = ({ value, compared_with: before }: Figure): number | undefined =>
  before === null ? undefined : value - before;
