/** ISO 4217 (2026): currencies whose minor unit is not a hundredth. */
const minorUnits = [
  [0, /^(BIF|CLP|DJF|GNF|ISK|JPY|KMF|KRW|PYG|RWF|UGX|UYI|VND|VUV|XAF|XOF|XPF)$/],
  [3, /^(BHD|IQD|JOD|KWD|LYD|OMR|TND)$/],
  [4, /^(CLF|UYW)$/],
] as const;

/**
 * Decimal digits of a currency's amounts (ISO 4217: JPY 0, EUR 2, KWD 3). ICU data differs between browsers and versions of
 * Node.js: with the forint, which has 0 digits in one and 2 in another, amounts would be off by a factor of a hundred.
 */
export const minorDigits = (currency: string): number =>
  minorUnits.find(([, currencies]) => currencies.test(currency))?.[0] ?? 2;

/** Whether it is a code of ISO 4217. */
export const isCurrency = (code: string): boolean => Intl.supportedValuesOf('currency').includes(code);
