import type { Language } from '@simcube/contract';
import type { Locale } from 'antd/es/locale';

/** antd's own texts, by language, fetched on demand. */
const sources: Record<Language, () => Promise<{ default: Locale }>> = {
  'en-US': () => import('antd/es/locale/en_GB'),
  'zh-CN': () => import('antd/es/locale/zh_CN'),
  'zh-TW': () => import('antd/es/locale/zh_TW'),
  'es-ES': () => import('antd/es/locale/es_ES'),
};

const loaded = new Map<Language, Locale>();

export const loadAntdLocale = async (language: Language): Promise<Locale> => {
  const locale = loaded.get(language) ?? (await sources[language]()).default;
  loaded.set(language, locale);
  return locale;
};

/** Undefined until they have loaded. */
export const antdLocale = (language: Language): Locale | undefined => loaded.get(language);
