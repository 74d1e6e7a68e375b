/** Groups of thousands separated by points, without decimals. */
const inThousands = /^\s*-?\d{1,3}(\.\d{3})+\s*$/;

/** Without what is no part of a number with a decimal point, such as commas between thousands. */
export const withoutOthers = (text: string): string => text.replace(/[^\w.-]+/g, '');

/**
 * Converts a number in Spanish notation (a decimal comma, optional points between thousands) to a decimal point. A single point counts
 * as a decimal comma, because many numeric keypads have only a point, unless it can only separate thousands.
 * @param decimals maximum number of decimals
 */
export const withDecimalPoint = (text: string, decimals: number): string => {
  const hasThousands = text.includes(',') || (decimals < 3 && inThousands.test(text));
  const ungrouped = hasThousands ? text.replaceAll('.', '') : text;
  return withoutOthers(ungrouped.replace(',', '.'));
};
