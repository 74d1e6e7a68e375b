import type { InputIssue, Language } from '@simcube/contract';
import type { NewTrigger, Trigger } from '@simcube/contract/autoflow';
import { isCurrency } from '@simcube/contract/price';
import { countryCodes, unknownCountries } from '../../org/index.ts';

/** Countries and territories (ISO 3166-1 alpha-2) with their names in a language. */
export const countriesIn = (language: Language): { code: string; name: string }[] => {
  const names = new Intl.DisplayNames(language, { type: 'region' });
  const order = new Intl.Collator(language);
  return countryCodes
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((one, other) => order.compare(one.name, other.name));
};

/** Values that a trigger waits for in vain: countries and currencies that don't exist. */
export const unknownValues = (trigger: NewTrigger | Trigger): InputIssue[] => {
  if (trigger.kind === 'cost')
    return isCurrency(trigger.currency) ? [] : [{ path: 'trigger.currency', key: 'notAllowed' }];
  if (trigger.kind !== 'country') return [];
  const unknown = unknownCountries(trigger.countries);
  return trigger.countries.flatMap((code, index) =>
    unknown.includes(code) ? [{ path: `trigger.countries.${index}`, key: 'notAllowed' as const }] : [],
  );
};
