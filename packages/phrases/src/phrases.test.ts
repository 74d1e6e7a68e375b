import { errors, type Language, languages } from '@simcube/contract';
import { describe, expect, test } from 'vitest';
import { bundle as enUS } from './en-US/index.ts';
import { bundle as esES } from './es-ES/index.ts';
import { type PhraseKey, type Phrases, phrase } from './index.ts';
import { bundle as zhCN } from './zh-CN/index.ts';
import { bundle as zhTW } from './zh-TW/index.ts';

const bundles: Record<Language, Phrases> = { 'en-US': enUS, 'zh-CN': zhCN, 'zh-TW': zhTW, 'es-ES': esES };
const flatten = (node: object, above = ''): [string, string][] =>
  Object.entries(node).flatMap(([key, value]: [string, unknown]): [string, string][] =>
    typeof value === 'object' && value !== null
      ? flatten(value, `${above}${key}.`)
      : [[above + key, String(value)]],
  );
/** Errors whose messages are literal in the specification, section 8. */
const quoted = [
  'administratorsOnly',
  'autoflowWriteMissing',
  'notPreActivated',
  'permissionDenied',
  'tooManySims',
];
const placeholders = (text: string): Set<string> => new Set(text.match(/\{\{\s*[\w, ]+\s*\}\}|<\/?\w+>/g));

describe.each(languages)('%s', (language) => {
  test('has every phrase of en-US, none empty, with the same placeholders', () => {
    const english = flatten(enUS);
    const own = new Map(flatten(bundles[language]));
    expect(new Set(own.keys())).toEqual(new Set(english.map(([key]) => key)));
    for (const [key, text] of english) {
      const translated = own.get(key) ?? '';
      expect(translated.trim(), key).not.toBe('');
      expect(placeholders(translated), key).toEqual(placeholders(text));
    }
  });

  test('has a message for every error of the catalogue', () => {
    for (const { key } of Object.values(errors)) {
      expect(phrase(language, `errors.${key}`)).not.toBe(`errors.${key}`);
    }
  });

  test('ends every message of the catalogue with a full stop, except those that the specification quotes', () => {
    const open = Object.values(errors)
      .map(({ key }) => key)
      .filter((key) => !/[.。]$/.test(phrase(language, `errors.${key}`)));
    expect(open.toSorted()).toEqual(quoted);
  });
});

test('values are interpolated, and placeholders without a value stay visible', () => {
  expect(phrase('en-US', 'errors.issues.tooLong', { max: 40 })).toBe('At most 40 characters');
  expect(phrase('zh-CN', 'errors.issues.tooLong', { max: 40 })).toBe('最多 40 个字符');
  expect(phrase('en-US', 'errors.issues.tooLong')).toBe('At most {{max}} characters');
});

test('an unknown key is returned unchanged', () => {
  expect(phrase('en-US', 'errors.constructor' as PhraseKey)).toBe('errors.constructor');
});
