export {
  activateLanguage,
  currentLanguage,
  preferredLanguage,
  translate,
  useLanguage,
} from './language.ts';
