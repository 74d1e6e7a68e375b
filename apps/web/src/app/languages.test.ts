import { expect, test } from 'vitest';
import { withLanguage } from './languages.ts';

test.each([
  ['/', '/es-ES'],
  ['/simCard', '/es-ES/simCard'],
  ['/simCard/8986', '/es-ES/simCard/8986'],
  ['/fr/simCard', '/es-ES/simCard'],
  ['/en-us/simCard', '/es-ES/simCard'],
  ['/zh_TW/login', '/es-ES/login'],
  ['/en-US/login', '/es-ES/login'],
  ['/orgs', '/es-ES/orgs'],
])('%s gets a supported language prefix: %s', (path, wanted) => {
  expect(withLanguage(path, 'es-ES')).toBe(wanted);
});
