export {
  activateLanguage,
  addConsolePhrases,
  addDeferredPhrases,
  currentLanguage,
  preferredLanguage,
  translate,
  useLanguage,
} from './language.ts';
export { pageOf } from './page-of.ts';
export { useChooseLanguage, useOpenInLanguage } from './use-choose-language.ts';
