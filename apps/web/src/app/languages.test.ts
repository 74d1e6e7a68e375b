import { expect, test } from 'vitest';
import { withLanguage } from './languages.ts';
import { screenPaths } from './route-paths.ts';

test.each([
  ['/', '/es-ES'],
  ['/simCard', '/es-ES/simCard'],
  ['/simCard/8986', '/es-ES/simCard/8986'],
  ['/fr/simCard', '/es-ES/simCard'],
  ['/en-us/simCard', '/es-ES/simCard'],
  ['/zh_TW/login', '/es-ES/login'],
  ['/es-419/simCard', '/es-ES/simCard'],
  ['/zh-Hant-TW/privacy', '/es-ES/privacy'],
  ['/zh-Hans/privacy', '/es-ES/privacy'],
  ['/fil/privacy', '/es-ES/privacy'],
  ['/en-US/login', '/es-ES/login'],
  ['/orgs', '/es-ES/orgs'],
])('%s gets a supported language prefix: %s', (path, wanted) => {
  expect(withLanguage(path, 'es-ES')).toBe(wanted);
});

test.each(screenPaths)('%s is not taken for a language', (path) => {
  expect(withLanguage(`/${path}`, 'es-ES')).toBe(`/es-ES/${path}`);
});
