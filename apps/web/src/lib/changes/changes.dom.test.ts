import { afterEach, expect, test } from 'vitest';
import { joinList } from '../format/index.ts';
import { activateLanguage } from '../language/index.ts';
import { changeText } from './index.ts';

afterEach(() => activateLanguage('en-US'));

test.each([
  ['en-US', 'name: A → B; tags: x, y'],
  ['zh-CN', 'name：A → B；tags：x、y'],
  ['zh-TW', 'name：A → B；tags：x、y'],
] as const)('a change is punctuated as usual in %s', async (language, wanted) => {
  await activateLanguage(language);
  const text = changeText(
    { before: { name: 'A' }, after: { name: 'B', tags: ['x', 'y'] } },
    {
      labels: {},
      valueText: (_, value) => (Array.isArray(value) ? joinList(value as string[]) : String(value)),
    },
  );
  expect(text).toBe(wanted);
});
