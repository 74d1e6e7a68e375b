const exponentForm = /^\d([.,]\d+)?E\+(\d+)$/i;
/**
 * Spreadsheets show, and save as CSV, whole numbers of more than eleven digits with an exponent, most of their
 * digits left out.
 */
const roundedFromExponent = 11;

/** Whether a text is a number of which a spreadsheet has lost digits. */
export const isRounded = (text: string): boolean =>
  Number(exponentForm.exec(text)?.[2] ?? 0) >= roundedFromExponent;
