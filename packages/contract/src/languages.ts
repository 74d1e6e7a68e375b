/** Interface languages (specification, sections 1 and 9); the first one is the fallback. */
export const languages = ['en-US', 'zh-CN', 'zh-TW', 'es-ES'] as const;
export type Language = (typeof languages)[number];
export const defaultLanguage: Language = 'en-US';

/**
 * The best supported language for a list of BCP 47 tags in order of preference (from `navigator.languages` or
 * Accept-Language): exact match, then script for Chinese, then primary subtag.
 */
export const chooseLanguage = (preferences: readonly string[]): Language => {
  for (const preference of preferences) {
    const tag = preference.toLowerCase();
    const exact = languages.find((language) => language.toLowerCase() === tag);
    if (exact) return exact;
    const [primary, ...subtags] = tag.split('-');
    if (primary === 'zh') return isTraditional(subtags) ? 'zh-TW' : 'zh-CN';
    const samePrimary = languages.find((language) => language.toLowerCase().split('-')[0] === primary);
    if (samePrimary) return samePrimary;
  }
  return defaultLanguage;
};

/** The script decides; without one, the region. */
const isTraditional = (subtags: readonly string[]): boolean =>
  subtags.includes('hant') ||
  (!subtags.includes('hans') && ['tw', 'hk', 'mo'].some((region) => subtags.includes(region)));
