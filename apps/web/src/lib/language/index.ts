export {
  activateLanguage,
  addConsolePhrases,
  addLaterPhrases,
  currentLanguage,
  preferredLanguage,
  translate,
  useLanguage,
} from './language.ts';
export { useChooseLanguage } from './use-choose-language.ts';
