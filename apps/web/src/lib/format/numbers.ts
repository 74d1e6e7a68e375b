import type { Language } from '@simcube/contract';
import { moneyFormats } from '@simcube/contract/money';
import type { Amount } from '@simcube/contract/price';

const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const;
export type ByteUnit = (typeof units)[number];

export interface FormattedBytes {
  /** "8.42 TB" */
  text: string;
  /** "8.42" */
  value: string;
  unit: ByteUnit;
}

/** Binary units: 1 GB = 1,024 MB. Chooses the unit in which the number has at most four digits before the decimal point. */
export const unitOf = (bytes: number): ByteUnit => {
  const exponent = bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10);
  return units[Math.min(exponent, units.length - 1)] ?? 'B';
};

export const inUnit = (bytes: number, unit: ByteUnit): number => bytes / 1024 ** units.indexOf(unit);

const minNextToLimit = 0.01;
/** Keeps a number and its unit on one line. */
const nonBreakingSpace = '\u00a0';

const styles = {
  whole: { maximumFractionDigits: 0 },
  significant: { maximumSignificantDigits: 3 },
  beside: { maximumFractionDigits: 2 },
  degrees: { maximumFractionDigits: 4 },
  percent: { style: 'percent', maximumFractionDigits: 0 },
  finePercent: { style: 'percent', maximumFractionDigits: 1 },
  signedPercent: { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' },
  signedWhole: { maximumFractionDigits: 0, signDisplay: 'exceptZero' },
} satisfies Record<string, Intl.NumberFormatOptions>;
type Style = keyof typeof styles;

/** Intl writes a hyphen before a negative number, which is narrower than the plus sign and breaks lines. */
const withMinus = (text: string): string => text.replace('-', '−');

/** Created on demand and cached: creating an Intl format takes as long as formatting fifty numbers. */
const formats = (language: Language) => {
  const cache = new Map<Style, Intl.NumberFormat>();
  return (style: Style): { format: (amount: number) => string } => {
    const format =
      cache.get(style) ?? new Intl.NumberFormat(language, { useGrouping: 'always', ...styles[style] });
    cache.set(style, format);
    return { format: (amount) => withMinus(format.format(amount)) };
  };
};

export const numbers = (language: Language) => {
  const of = formats(language);
  /** Three significant digits are readable at every size: 8.42, 18.4, 268; whole numbers stay whole. */
  const rounded = (amount: number): string =>
    of(Math.abs(amount) >= 1000 ? 'whole' : 'significant').format(amount);
  /** Two decimals are enough next to a limit; an amount too small for them is not shown as zero. */
  const nextToLimit = (amount: number): string => {
    if (amount >= 1) return rounded(amount);
    return amount > 0 && amount < minNextToLimit
      ? `<${of('beside').format(minNextToLimit)}`
      : of('beside').format(amount);
  };
  const bytes = (amount: number, unit: ByteUnit = unitOf(amount)): FormattedBytes => {
    const value = rounded(inUnit(amount, unit));
    return { text: `${value}${nonBreakingSpace}${unit}`, value, unit };
  };
  /** Only zero is shown as 0 %, and only the whole as 100 %. */
  const percent = (ratio: number, digits: 0 | 1 = 0): string => {
    const format = of(digits === 0 ? 'percent' : 'finePercent');
    const smallest = 0.1 ** (digits + 2);
    if (ratio > 0 && ratio < smallest / 2) return `<${format.format(smallest)}`;
    return format.format(ratio < 1 ? Math.min(ratio, 1 - smallest) : ratio);
  };
  const amounts = moneyFormats(language);
  const money = (amount: Amount): string => withMinus(amounts.money(amount));
  return {
    money,
    /** With its sign, for differences: +€1.80. */
    signedMoney: (amount: Amount): string => `${amount.amount_minor > 0 ? '+' : ''}${money(amount)}`,
    price: (micros: number, currency: string, digits?: number): string =>
      withMinus(amounts.price(micros, currency, digits)),
    count: (amount: number): string => of('whole').format(amount),
    /** Three significant digits: 1.4, 26.7, 312. */
    rounded,
    bytes,
    /** The exact number, grouped, for tooltips. */
    exactBytes: (amount: number): string => of('whole').format(amount),
    /** "4.1 / 5 GB": both in the unit of the limit. */
    bytesOfLimit: (used: number, limit: number): string => {
      const unit = unitOf(limit);
      return `${nextToLimit(inUnit(used, unit))} / ${bytes(limit, unit).text}`;
    },
    /** A ratio: 0.82 is 82 %. */
    percent,
    /** Latitude or longitude: four decimals are eleven metres, more precise than any cell's known position. */
    degrees: (amount: number): string => of('degrees').format(amount),
    /** With its sign, for comparisons: +1.8 %. */
    signedPercent: (ratio: number): string => of('signedPercent').format(ratio),
    signedCount: (amount: number): string => of('signedWhole').format(amount),
  };
};
