import type { Language } from '@simcube/contract';
import { radioTypes } from '@simcube/contract/sim';
import { phrase } from '@simcube/phrases';

/** A radio type in files. */
export const radioName = (language: Language, type: (typeof radioTypes)[number]): string =>
  type === 'other' ? phrase(language, 'sim.otherRadio') : type;

/** All of them, in the order of their stored numbers, from 1. */
export const radioNames = (language: Language): string[] =>
  radioTypes.map((type) => radioName(language, type));
