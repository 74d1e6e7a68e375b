const [fewest, most] = [3, 5];

/**
 * A round maximum for an axis and the interval between its lines, 1, 2, 2.5 or 5 times a power of ten: of those with three to five
 * intervals, the one that leaves the least room empty above the highest value. `whole`: lines at whole numbers only.
 */
export const niceScale = (highest: number, whole = false): { max: number; interval: number } => {
  if (!(highest > 0)) return { max: 1, interval: 1 };
  const power = 10 ** Math.floor(Math.log10(highest / most));
  const scales = [1, 2, 2.5, 5, 10]
    .map((factor) => factor * power)
    .filter((interval) => !whole || Number.isInteger(interval))
    .map((interval) => ({ interval, count: Math.ceil(highest / interval - 1e-9) }))
    .filter(({ count }) => fewest <= count && count <= most)
    .map(({ interval, count }) => ({ interval, max: count * interval, off: Math.abs(count - 4) }))
    .toSorted((one, other) => one.max - other.max || one.off - other.off);
  const [{ interval, max } = { interval: highest, max: highest }] = scales;
  return { interval, max };
};
