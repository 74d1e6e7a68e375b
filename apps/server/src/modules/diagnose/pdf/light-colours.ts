import type { Light } from '@simcube/contract/diagnose';

/** Each light's colour, dark enough for text (AA on white), and the pale one for its background. */
export const lightColours: Record<Light, { strong: string; pale: string }> = {
  good: { strong: '#157347', pale: '#eaf6ef' },
  warning: { strong: '#9a5b00', pale: '#fdf4e3' },
  bad: { strong: '#b3261e', pale: '#fcecea' },
  unknown: { strong: '#5c6470', pale: '#f1f3f6' },
};
