/** ISO 4217, of 2026: the currencies whose minor unit is no hundredth. */
const minorUnits = [
  [0, /^(BIF|CLP|DJF|GNF|ISK|JPY|KMF|KRW|PYG|RWF|UGX|UYI|VND|VUV|XAF|XOF|XPF)$/],
  [3, /^(BHD|IQD|JOD|KWD|LYD|OMR|TND)$/],
  [4, /^(CLF|UYW)$/],
] as const;

/**
 * Digits behind the point of a currency's amounts (ISO 4217: JPY 0, EUR 2, KWD 3). ICU, and with it a browser or a version
 * of Node.js, has its own opinion of some: the forint has 0 digits in one and 2 in the other, a hundredfold of an amount.
 */
export const minorDigits = (currency: string): number =>
  minorUnits.find(([, currencies]) => currencies.test(currency))?.[0] ?? 2;
