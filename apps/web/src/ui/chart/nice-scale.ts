/** A round maximum for an axis and the interval between its lines: 1, 2, 2.5 or 5 times a power of ten. */
export const niceScale = (highest: number, lines = 4): { max: number; interval: number } => {
  if (!(highest > 0)) return { max: 1, interval: 1 };
  const rough = highest / lines;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10;
  const interval = step * power;
  return { max: Math.ceil(highest / interval - 1e-9) * interval, interval };
};
