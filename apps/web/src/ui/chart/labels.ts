/**
 * Width of a text in pixels in the 11 px font of charts, overestimated rather than underestimated; Chinese characters are square.
 */
export const textWidth = (text: string): number =>
  [...text].reduce((width, character) => width + (character > '\u2e80' ? 11 : 6.5), 0);

/** Keys of periods or rows for React: their positions, as names repeat (14:00 on two days, or twice when summer time ends). */
export const keysOf = (items: readonly unknown[]): readonly string[] =>
  items.map((_, index) => String(index));

interface Label {
  text: string;
  /** Position of its centre. */
  x: number;
  /** Shown only if all labels fit. */
  isMinor?: boolean;
}

/**
 * Selects the axis labels to show: every one, or every second, third, … from the first, so that the distances are equal. Minor
 * ones are left out first.
 */
export const evenlySpaced = (labels: readonly Label[]): ReadonlySet<number> => {
  const named = labels.flatMap(({ text }, index) => (text === '' ? [] : [index]));
  const fits = (chosen: ReadonlySet<number>): boolean =>
    withoutOverlap(labels.map((label, index) => (chosen.has(index) ? label : { ...label, text: '' })))
      .size === chosen.size;
  if (fits(new Set(named))) return new Set(named);
  const major = named.filter((index) => !labels[index]?.isMinor);
  const every = (step: number) => new Set(major.filter((_, place) => place % step === 0));
  const step = major.findIndex((_, place) => fits(every(place + 1))) + 1;
  return every(Math.max(1, step));
};

interface BarLabel extends Label {
  /** Distance of the bar's top from the bottom. */
  height: number;
}

/** Selects the amounts to show above bars; also leaves out those that a higher neighbouring bar would cover. */
export const visibleAboveBars = (labels: readonly BarLabel[], thickness: number): ReadonlySet<number> => {
  const isCovered = ({ text, x, height }: BarLabel): boolean =>
    labels.some(
      (other) =>
        other.x !== x &&
        other.height > height + 2 &&
        Math.abs(other.x - x) < textWidth(text) / 2 + thickness / 2,
    );
  return withoutOverlap(labels.map((label) => (isCovered(label) ? { ...label, text: '' } : label)));
};

/** Selects labels of a row from the left; leaves out those that would touch the previous label. */
export const withoutOverlap = (labels: readonly Label[]): ReadonlySet<number> => {
  const shown = new Set<number>();
  let end = Number.NEGATIVE_INFINITY;
  for (const [index, { text, x }] of labels.entries()) {
    const half = textWidth(text) / 2;
    if (text === '' || x - half < end) continue;
    shown.add(index);
    end = x + half + 4;
  }
  return shown;
};
