import type { InputIssue, Language } from '@simcube/contract';
import { isCurrency, type NewTrigger, type Trigger } from '@simcube/contract/autoflow';

const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
/** Codes that the names of regions know and that are no countries: unions, and what stands for none (CLDR). */
const noCountries = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']);

/** Countries and territories (ISO 3166-1 alpha-2) by their names in a language. */
export const countriesIn = (language: Language): { code: string; name: string }[] => {
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
  const order = new Intl.Collator(language);
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .flatMap((code) => {
      const name = noCountries.has(code) || !isCurrent(code) ? undefined : names.of(code);
      return name ? { code, name } : [];
    })
    .sort((one, other) => order.compare(one.name, other.name));
};

/** A code that stands for itself: those that were replaced (`DD`, `SU`) become another one. */
const isCurrent = (code: string): boolean => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`;

const known = new Set(countriesIn('en-US').map(({ code }) => code));

/** What a trigger waits for and will never come: countries and currencies that do not exist. */
export const unknownIn = (trigger: NewTrigger | Trigger): InputIssue[] => {
  if (trigger.kind === 'cost')
    return isCurrency(trigger.currency) ? [] : [{ path: 'trigger.currency', key: 'notAllowed' }];
  if (trigger.kind !== 'country') return [];
  return trigger.countries.flatMap((code, place) =>
    known.has(code) ? [] : [{ path: `trigger.countries.${place}`, key: 'notAllowed' as const }],
  );
};
