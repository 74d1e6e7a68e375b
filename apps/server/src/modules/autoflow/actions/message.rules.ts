import type { Measured } from '@simcube/contract/autoflow';
import { minorDigits } from '@simcube/contract/price';

const namedMost = 10;

/** The first of many, and that there are more. */
export const namesOf = (iccids: readonly string[]): string =>
  iccids.slice(0, namedMost).join(', ') + (iccids.length > namedMost ? ' …' : '');

/** The minute, in UTC. */
export const timeOf = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const kilo = 1024;
const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** Octets as people read them, in no language. */
const octetsOf = (octets: number): string => {
  const power = Math.min(Math.floor(Math.log2(Math.max(octets, 1)) / 10), units.length - 1);
  return `${Math.round((octets / kilo ** power) * 100) / 100} ${units[power]}`;
};

/** A figure with its unit, as people read it in any language: units are octets, currencies, or what was counted. */
export const figureOf = (figure: string | number, unit: string | null): string => {
  if (typeof figure !== 'number' || unit === null) return String(figure);
  if (unit === 'octets') return octetsOf(figure);
  if (!isCurrency(unit)) return String(figure);
  const digits = minorDigits(unit);
  return `${(figure / 10 ** digits).toFixed(digits)} ${unit}`;
};

/** The other units are words, or shorter. */
const isCurrency = (unit: string): boolean => /^[A-Z]{3}$/.test(unit) && unit !== 'SMS';

/** What was compared with what: `1.2 GB ≥ 1 GB`, or `<` where a rule is only tried; empty where no figure was. */
export const comparisonOf = ({ value, threshold, unit }: Measured): string => {
  if (value === null) return '';
  const text = (figure: string | number): string => figureOf(figure, unit);
  if (threshold === null) return text(value);
  if (typeof value !== 'number') return `${text(value)} → ${text(threshold)}`;
  return `${text(value)} ${value < Number(threshold) ? '<' : '≥'} ${text(threshold)}`;
};
