/** Thousands with a point between them, and no decimals. */
const inThousands = /^\s*-?\d{1,3}(\.\d{3})+\s*$/;

/**
 * A number as Spanish is written, with a comma before its decimals and perhaps points between its thousands, as machines read it.
 * A lone point is taken for a comma, as it is on the keypads of many keyboards, unless only thousands can be meant.
 * @param decimals how many it may have
 */
export const withDecimalPoint = (text: string, decimals: number): string => {
  const hasThousands = text.includes(',') || (decimals < 3 && inThousands.test(text));
  const ungrouped = hasThousands ? text.replaceAll('.', '') : text;
  // As the field itself does in the other languages.
  return ungrouped.replace(',', '.').replace(/[^\w.-]+/g, '');
};
