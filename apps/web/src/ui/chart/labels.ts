/** Pixels of a text in the 11 px face of charts, rather too many than too few; Chinese characters are square. */
export const textWidth = (text: string): number =>
  [...text].reduce((width, character) => width + (character > '\u2e80' ? 11 : 6.5), 0);

interface Label {
  text: string;
  /** Its centre. */
  x: number;
}

/**
 * Which labels of an axis can be read: each, or each second, third, … counted from the first, so that what lies between
 * two of them is always as much.
 */
export const regular = (labels: readonly Label[]): ReadonlySet<number> => {
  const named = labels.flatMap(({ text }, index) => (text === '' ? [] : [index]));
  const every = (step: number) => new Set(named.filter((_, place) => place % step === 0));
  const fits = (chosen: ReadonlySet<number>): boolean =>
    readable(labels.map((label, index) => (chosen.has(index) ? label : { ...label, text: '' }))).size ===
    chosen.size;
  const step = named.findIndex((_, place) => fits(every(place + 1))) + 1;
  return every(Math.max(1, step));
};

interface BarLabel extends Label {
  /** The top of its bar, from below. */
  height: number;
}

/** Which amounts above bars can be read: one that a higher bar beside its own would cover is left out, too. */
export const readableAbove = (labels: readonly BarLabel[], thickness: number): ReadonlySet<number> => {
  const isCovered = ({ text, x, height }: BarLabel): boolean =>
    labels.some(
      (other) =>
        other.x !== x &&
        other.height > height + 2 &&
        Math.abs(other.x - x) < textWidth(text) / 2 + thickness / 2,
    );
  return readable(labels.map((label) => (isCovered(label) ? { ...label, text: '' } : label)));
};

/** Which labels of a row can be read, from the left: one that would touch the label before it is left out. */
export const readable = (labels: readonly Label[]): ReadonlySet<number> => {
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
