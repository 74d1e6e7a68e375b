import type { Language } from '@simcube/contract';
import type { ConsolePhrases, LaterPhrases, PublicPhrases } from './shape.ts';

export type {
  ConsolePhrases,
  PhraseValues,
  PublicPhrases,
  ScreenPhraseKey as PhraseKey,
  ScreenPhrases as Phrases,
} from './shape.ts';

/** Loads the phrases of the pages before the sign-in in one language. */
export const loadPublicPhrases = async (language: Language): Promise<PublicPhrases> => {
  switch (language) {
    case 'en-US':
      return (await import('./en-US/public.ts')).publicBundle;
    case 'zh-CN':
      return (await import('./zh-CN/public.ts')).publicBundle;
    case 'zh-TW':
      return (await import('./zh-TW/public.ts')).publicBundle;
    case 'es-ES':
      return (await import('./es-ES/public.ts')).publicBundle;
  }
};

/** Loads the additional phrases of the screens behind the sign-in. */
export const loadConsolePhrases = async (language: Language): Promise<ConsolePhrases> => {
  switch (language) {
    case 'en-US':
      return (await import('./en-US/console.ts')).consoleBundle;
    case 'zh-CN':
      return (await import('./zh-CN/console.ts')).consoleBundle;
    case 'zh-TW':
      return (await import('./zh-TW/console.ts')).consoleBundle;
    case 'es-ES':
      return (await import('./es-ES/console.ts')).consoleBundle;
  }
};

/** Loads the phrases of screens that are opened later. */
export const loadLaterPhrases = async (language: Language): Promise<LaterPhrases> => {
  switch (language) {
    case 'en-US':
      return (await import('./en-US/later.ts')).laterBundle;
    case 'zh-CN':
      return (await import('./zh-CN/later.ts')).laterBundle;
    case 'zh-TW':
      return (await import('./zh-TW/later.ts')).laterBundle;
    case 'es-ES':
      return (await import('./es-ES/later.ts')).laterBundle;
  }
};
