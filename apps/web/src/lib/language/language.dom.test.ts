import i18next from 'i18next';
import { afterEach, expect, test, vi } from 'vitest';
import { session } from '../session/index.ts';
import { activateLanguage, currentLanguage, preferredLanguage, translate } from './index.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test.each([
  [['es-MX', 'en'], 'es-ES'],
  [['zh-HK'], 'zh-TW'],
  [['zh-Hans-SG'], 'zh-CN'],
  [['zh-Hans-HK'], 'zh-CN'],
  [['zh-Hans-TW'], 'zh-CN'],
  [['zh-Hant-CN'], 'zh-TW'],
  [['zh-MO'], 'zh-TW'],
  [['zh'], 'zh-CN'],
  [['fr-FR', 'zh-TW'], 'zh-TW'],
  [['fr-FR'], 'en-US'],
  [[], 'en-US'],
])('a browser that requests %j gets %s', (wishes, language) => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(wishes);
  expect(preferredLanguage()).toBe(language);
});

test('the language chosen before has priority', () => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['es-ES']);
  session.set('lang', 'zh-CN');
  expect(preferredLanguage()).toBe('zh-CN');
});

test('a page in another language changes phrases and document, not the person’s language', async () => {
  session.set('lang', 'zh-CN');
  await activateLanguage('es-ES');
  expect(translate('common.actions.cancel')).toBe('Cancelar');
  expect(document.documentElement.lang).toBe('es-ES');
  expect(currentLanguage()).toBe('es-ES');
  expect(preferredLanguage()).toBe('zh-CN');
});

test('all phrases are loaded when the language changes', async () => {
  const drawn: string[] = [];
  const draw = () => drawn.push(translate('sim.lifecycle.active'), translate('autoflow.label'));
  i18next.on('languageChanged', draw);
  await activateLanguage('zh-TW');
  i18next.off('languageChanged', draw);
  expect(drawn).toEqual(['已啟用', '自動化規則']);
});

test('Spanish has its plurals, and text for a million', async () => {
  await activateLanguage('es-ES');
  const key = 'shell.palette.results' as Parameters<typeof translate>[0];
  expect(translate(key, { count: 1 })).toBe('1 resultado');
  expect(translate(key, { count: 7 })).toBe('7 resultados');
  expect(translate(key, { count: 1_000_000 })).toBe('1000000 resultados');
});
