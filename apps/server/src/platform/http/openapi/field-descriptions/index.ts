import { groupBy } from '../../../collections/index.ts';
import type { Place } from '../document-fields.ts';
import { byDomain } from './by-domain.ts';
import { shared } from './shared.ts';
import type { FieldDescriptions } from './types.ts';

export interface Match {
  /** Domain, or `shared`. */
  source: string;
  key: string;
  text: string;
}

/** The descriptions by domain, and those of all domains. */
export const descriptions: Readonly<Record<string, FieldDescriptions>> = { ...byDomain, shared };

/** The description of the field at this place; undefined if there is none. */
export const descriptionOf = (place: Place): string | undefined => matchesOf(place)[0]?.text;

/** All descriptions whose keys fit the place, the one that applies first. */
export const matchesOf = ({ domain, names, withVariants }: Place): Match[] => {
  const paths = [withVariants, names].map((path) => `.${path.join('.')}`);
  const fits = ({ key }: Match) => paths.some((path) => path.endsWith(`.${key}`));
  const name = names.at(-1) ?? '';
  return [domain, 'shared']
    .flatMap((source) => matchesByName.get(source)?.get(name) ?? [])
    .filter(fits)
    .toSorted((a, b) => lengthOf(b.key) - lengthOf(a.key));
};

const lengthOf = (key: string): number => key.split('.').length;

/** By source and the name with which the key ends. */
const matchesByName = new Map(
  Object.entries(descriptions).map(([source, texts]) => {
    const matches = Object.entries(texts).map(([key, text]) => ({ source, key, text }));
    return [source, groupBy(matches, ({ key }) => key.slice(key.lastIndexOf('.') + 1))];
  }),
);
