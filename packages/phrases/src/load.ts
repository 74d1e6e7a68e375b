import type { Language } from '@simcube/contract';
import type { Phrases } from './shape.ts';

export type { PhraseKey, Phrases, PhraseValues } from './shape.ts';

/** The phrases of one language, fetched when wanted: the console carries only the languages it shows. */
export const loadPhrases = async (language: Language): Promise<Phrases> => {
  switch (language) {
    case 'en-US':
      return (await import('./en-US/index.ts')).bundle;
    case 'zh-CN':
      return (await import('./zh-CN/index.ts')).bundle;
    case 'zh-TW':
      return (await import('./zh-TW/index.ts')).bundle;
    case 'es-ES':
      return (await import('./es-ES/index.ts')).bundle;
  }
};
