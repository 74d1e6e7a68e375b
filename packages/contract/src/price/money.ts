import type { Language } from '../languages.ts';
import type { Amount } from './cost.ts';
import { minorDigits } from './minor-digits.ts';

const microDigits = 6;

/** Exact formatting of money: decimal text is never converted to a binary floating-point number. */
export const moneyFormats = (language: Language) => {
  const formats = new Map<string, Intl.NumberFormat>();
  const formatFor = (currency: string, minDigits: number, maxDigits = minDigits): Intl.NumberFormat => {
    const key = `${currency} ${minDigits} ${maxDigits}`;
    const format =
      formats.get(key) ??
      new Intl.NumberFormat(language, {
        style: 'currency',
        currency,
        minimumFractionDigits: minDigits,
        maximumFractionDigits: maxDigits,
        // By default, Spanish formats four digits without grouping: 3801,15 next to 15.321,18.
        useGrouping: 'always',
      });
    formats.set(key, format);
    return format;
  };
  const decimal = (amount: number, digits: number) => `${amount}e-${digits}` as Intl.StringNumericLiteral;
  return {
    /** An amount in minor units: 499 of EUR is €4.99, of JPY ¥499. */
    money: ({ currency, amount_minor }: Amount): string => {
      const digits = minorDigits(currency);
      return formatFor(currency, digits).format(decimal(amount_minor, digits));
    },
    /** A price in millionths, with all its digits, and at least this many decimals. */
    price: (micros: number, currency: string, digits = minorDigits(currency)): string =>
      formatFor(currency, digits, microDigits).format(decimal(micros, microDigits)),
  };
};
