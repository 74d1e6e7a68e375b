import { expect, it } from 'vitest';
import { languageOf, nameOf, normaliseEmail, problemsOf } from './people.rules.ts';

it('a person has an address and names of 1 to 30 characters', () => {
  const good = { email: 'ana@example.com', firstName: 'A', lastName: 'x'.repeat(30) };
  expect(problemsOf(good)).toEqual([]);
  for (const wrong of [
    { email: 'ana' },
    { email: `${'x'.repeat(250)}@example.com` },
    { firstName: '' },
    { lastName: 'x'.repeat(31) },
  ]) {
    expect(problemsOf({ ...good, ...wrong }), JSON.stringify(wrong)).toHaveLength(1);
  }
});

it('addresses are compared trimmed and in lower case', () => {
  expect(normaliseEmail('  Ana.Li@Example.COM ')).toBe('ana.li@example.com');
});

it('a stored locale that is not offered falls back to the default', () => {
  expect(languageOf('zh-TW')).toBe('zh-TW');
  expect(languageOf('fr-FR')).toBe('en-US');
});

it('a name is both of them, or the one that is there', () => {
  expect(nameOf({ firstName: 'Ana', lastName: 'Li' })).toBe('Ana Li');
  expect(nameOf({ firstName: 'Ana', lastName: '' })).toBe('Ana');
});
