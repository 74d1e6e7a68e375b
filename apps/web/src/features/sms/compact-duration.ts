import type { Language } from '@simcube/contract';

const second = 1000;
const minute = 60 * second;

/** A duration: 0.4s, 34s, 6m 36s, 2h 5m. */
export const compactDuration = (language: Language, ms: number): string => {
  const unit = (amount: number, name: 'hour' | 'minute' | 'second', digits = 0): string =>
    new Intl.NumberFormat(language, {
      style: 'unit',
      unit: name,
      unitDisplay: 'narrow',
      maximumFractionDigits: digits,
    }).format(amount);
  const twoUnits = (first: string, rest: number, name: 'minute' | 'second'): string =>
    rest === 0 ? first : `${first} ${unit(rest, name)}`;
  const duration = Math.max(0, ms);
  if (duration < 9.95 * second) return unit(duration / second, 'second', 1);
  const seconds = Math.round(duration / second);
  if (seconds < 60) return unit(seconds, 'second');
  if (seconds < 3600) return twoUnits(unit(Math.floor(seconds / 60), 'minute'), seconds % 60, 'second');
  const minutes = Math.round(duration / minute);
  return twoUnits(unit(Math.floor(minutes / 60), 'hour'), minutes % 60, 'minute');
};
