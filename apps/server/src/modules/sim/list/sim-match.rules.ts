import { findRange, folded, type TextRange } from '@simcube/contract';
import { type SimMatch, type SimSearchField, simSearchFields } from '@simcube/contract/sim';
import { spellingsOf } from '../sim.rules.ts';
import { fieldPattern, wholeIdentifier } from './sim-search.rules.ts';

type SearchableFields = { [K in Exclude<SimSearchField, 'tags' | 'notes'>]: string | null } & {
  tags: readonly string[];
  notes?: string | null;
};

/** Characters of notes shown around a match. */
const excerptContext = { before: 24, after: 60 };

/** Where a search text occurs in a SIM, by field; a complete identifier matches only its own field. */
export const matchesOf = (search: string, sim: SearchableFields): SimMatch[] => {
  const whole = wholeIdentifier(search);
  const spellings = whole === undefined ? [] : spellingsOf(whole);
  const matchingFields = (['iccid', 'imsi', 'msisdn'] as const).filter((field) =>
    spellings.includes(sim[field] ?? ''),
  );
  if (matchingFields.length > 0) {
    return matchingFields.map((field) => ({
      field,
      text: sim[field] ?? '',
      from: 0,
      to: sim[field]?.length ?? 0,
    }));
  }
  const pattern = fieldPattern(search);
  if (!pattern) return [];
  return simSearchFields.flatMap((field) =>
    textsOf(sim, field).flatMap((text) => {
      const place = findInText(text, search, pattern.atStart);
      if (!place) return [];
      return [{ field, ...(field === 'notes' ? excerpt(text, place) : { text, ...place }) }];
    }),
  );
};

/** The field's texts, each as one line, in the searched form. */
const textsOf = (sim: SearchableFields, field: SimSearchField): string[] =>
  [sim[field] ?? []].flat().map((text) => text.replaceAll(/[\n\r]/g, ' '));

const findInText = (text: string, search: string, atStart: boolean): TextRange | undefined => {
  if (atStart && !folded(text).startsWith(folded(search.trim()))) return undefined;
  return findRange(text, search.trim());
};

const excerpt = (text: string, { from, to }: TextRange): Omit<SimMatch, 'field'> => {
  const start = from > excerptContext.before ? characterStart(text, from - excerptContext.before) : 0;
  const end =
    text.length > to + excerptContext.after ? characterStart(text, to + excerptContext.after) : text.length;
  const [before, after] = [start > 0 ? '…' : '', end < text.length ? '…' : ''];
  const shift = before.length - start;
  return { text: before + text.slice(start, end) + after, from: from + shift, to: to + shift };
};

/** Moves a position out of a surrogate pair. */
const characterStart = (text: string, at: number): number =>
  /[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at - 1 : at;
