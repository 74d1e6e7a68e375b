import type { Language } from '@simcube/contract';
import type { ConsolePhrases, DeferredPhrases, PublicPhrases } from './shape.ts';

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
export const loadDeferredPhrases = async (language: Language): Promise<DeferredPhrases> => {
  switch (language) {
    case 'en-US':
      return (await import('./en-US/deferred.ts')).deferredBundle;
    case 'zh-CN':
      return (await import('./zh-CN/deferred.ts')).deferredBundle;
    case 'zh-TW':
      return (await import('./zh-TW/deferred.ts')).deferredBundle;
    case 'es-ES':
      return (await import('./es-ES/deferred.ts')).deferredBundle;
  }
};
