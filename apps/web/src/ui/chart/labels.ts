/** Pixels of a text in the 11 px face of charts, rather too many than too few; Chinese characters are square. */
export const textWidth = (text: string): number =>
  [...text].reduce((width, character) => width + (character > '\u2e80' ? 11 : 6.5), 0);

interface Label {
  text: string;
  /** Its centre. */
  x: number;
}

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
