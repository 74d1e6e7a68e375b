/** Interface languages (specification, sections 1 and 9); the first one is the default fallback. */
export const languages = ['en-US', 'zh-CN', 'zh-TW', 'es-ES'] as const;
export type Language = (typeof languages)[number];
export const defaultLanguage: Language = 'en-US';

/**
 * The best supported language for a list of wishes, most wanted first (BCP 47 tags, as from
 * `navigator.languages` or Accept-Language): exact, then by script for Chinese, then by primary subtag.
 */
export const chooseLanguage = (wishes: readonly string[]): Language => {
  for (const wish of wishes) {
    const tag = wish.toLowerCase();
    const exact = languages.find((language) => language.toLowerCase() === tag);
    if (exact) return exact;
    const [primary] = tag.split('-');
    if (primary === 'zh') return /hant|tw|hk|mo/.test(tag) ? 'zh-TW' : 'zh-CN';
    const near = languages.find((language) => language.toLowerCase().split('-')[0] === primary);
    if (near) return near;
  }
  return defaultLanguage;
};
