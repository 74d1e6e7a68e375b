import type { Language } from '@simcube/contract';

const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const;
export type ByteUnit = (typeof units)[number];

export interface FormattedBytes {
  /** "8.42 TB" */
  text: string;
  /** "8.42" */
  value: string;
  unit: ByteUnit;
}

/** Binary units: 1 GB = 1,024 MB. The unit in which the number has at most four digits before the point. */
export const unitOf = (bytes: number): ByteUnit => {
  const exponent = bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10);
  return units[Math.min(exponent, units.length - 1)] ?? 'B';
};

export const inUnit = (bytes: number, unit: ByteUnit): number => bytes / 1024 ** units.indexOf(unit);

/** Three significant digits read well at every size: 8.42, 18.4, 268; whole numbers stay whole. */
const shown = (language: Language, amount: number): string =>
  new Intl.NumberFormat(
    language,
    Math.abs(amount) >= 1000 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 },
  ).format(amount);

const leastBesideLimit = 0.01;

/** Beside a limit two decimals are enough; what is less than they can show is not nothing. */
const besideLimit = (language: Language, amount: number): string => {
  if (amount >= 1) return shown(language, amount);
  const format = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
  return amount > 0 && amount < leastBesideLimit
    ? `<${format.format(leastBesideLimit)}`
    : format.format(amount);
};

export const numbers = (language: Language) => {
  const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
  const bytes = (amount: number, unit: ByteUnit = unitOf(amount)): FormattedBytes => {
    const value = shown(language, inUnit(amount, unit));
    return { text: `${value} ${unit}`, value, unit };
  };
  return {
    count: (amount: number): string => whole.format(amount),
    bytes,
    /** The exact number, grouped, for tooltips. */
    exactBytes: (amount: number): string => whole.format(amount),
    /** "4.1 / 5 GB": both in the unit of the limit. */
    bytesOfLimit: (used: number, limit: number): string => {
      const unit = unitOf(limit);
      return `${besideLimit(language, inUnit(used, unit))} / ${bytes(limit, unit).text}`;
    },
    /** A ratio: 0.82 is 82 %. */
    percent: (ratio: number, digits = 0): string =>
      new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: digits }).format(ratio),
    /** Latitude or longitude: four decimals are eleven metres, closer than any cell is known. */
    degrees: (amount: number): string =>
      new Intl.NumberFormat(language, { maximumFractionDigits: 4 }).format(amount),
    /** With its sign, for comparisons: +1.8 %. */
    signedPercent: (ratio: number): string =>
      new Intl.NumberFormat(language, {
        style: 'percent',
        maximumFractionDigits: 1,
        signDisplay: 'exceptZero',
      }).format(ratio),
    signedCount: (amount: number): string =>
      new Intl.NumberFormat(language, { maximumFractionDigits: 0, signDisplay: 'exceptZero' }).format(amount),
  };
};
