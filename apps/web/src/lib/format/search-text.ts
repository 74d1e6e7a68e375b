import { normaliseWidth } from '@simcube/contract';

/** Removes accents, case and character width, so that `espana` finds España. */
export const normaliseForSearch = (text: string): string =>
  normaliseWidth(text).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
