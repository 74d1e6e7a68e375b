import { languages } from '@simcube/contract';
import { type PhraseKey, phrase } from '@simcube/phrases';
import { expect, it } from 'vitest';
import { isTest, linesThat, sourceFiles } from './source-tree.ts';

const product = sourceFiles((path) => /^(apps|packages)\/.*\.tsx?$/.test(path) && !isTest(path));

it('SQL statements contain no literal codes of lifecycles, connections and data states', () => {
  const spelled = /\b(lifecycle|connection|data_state)\s*(=|<>|!=|(not )?in)\s*\(?\s*\d/;
  expect(spelled.test('where s.lifecycle not in (10, 23)')).toBe(true);
  expect(linesThat(product, (line) => spelled.test(line))).toEqual([]);
});

it.each(languages)('%s: the password rule has its bounds as parameters', (language) => {
  const key: PhraseKey = 'errors.issues.passwordRule';
  expect(phrase(language, key)).not.toMatch(/\d/);
  expect(phrase(language, key, { min: 7, max: 19 })).toMatch(/7\D+19/);
});
