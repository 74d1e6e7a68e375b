import type { Light } from '@simcube/contract/diagnose';

/** A4 in points. */
export const page = { width: 595.28, height: 841.89, margin: 48 } as const;

export const ink = {
  text: '#16191f',
  muted: '#5c6470',
  hairline: '#e1e4ea',
} as const;

/** Each light's own colour, dark enough to be read as text (AA on white), and the pale one behind it. */
export const lightInk: Record<Light, { strong: string; pale: string }> = {
  good: { strong: '#157347', pale: '#eaf6ef' },
  warning: { strong: '#9a5b00', pale: '#fdf4e3' },
  bad: { strong: '#b3261e', pale: '#fcecea' },
  unknown: { strong: '#5c6470', pale: '#f1f3f6' },
};

/** The product's mark in a square of 32. */
export const mark = [
  { color: '#6d90ff', path: 'M16 2.5 28 9.2 16 15.9 4 9.2z' },
  { color: '#2b59f0', path: 'M4 10.9 15.2 17.2v12.3L4 23.2z' },
  { color: '#1f48d1', path: 'M28 10.9 16.8 17.2v12.3L28 23.2z' },
] as const;
