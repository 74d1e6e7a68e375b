import type { Tone } from '../status/index.ts';

interface Common {
  id: string;
  label: string;
}

/** Some of a fixed set. */
export interface ChoiceFilter extends Common {
  kind: 'choice';
  options: readonly { value: string; label: string; tone?: Tone }[];
  value: readonly string[] | undefined;
  onChange: (value: string[] | undefined) => void;
}

/** Words that the person types, such as tags; some may be offered. */
export interface WordsFilter extends Common {
  kind: 'words';
  placeholder: string;
  offered: readonly string[];
  max: number;
  maxLength: number;
  value: readonly string[] | undefined;
  onChange: (value: string[] | undefined) => void;
}

/** One number, with some at hand. */
export interface NumberFilter extends Common {
  kind: 'number';
  /** How the value reads in the chip: "> 80 %". */
  read: (value: number) => string;
  offered: readonly number[];
  min: number;
  max: number;
  value: number | undefined;
  onChange: (value: number | undefined) => void;
}

export type Filter = ChoiceFilter | WordsFilter | NumberFilter;

export const isSet = (filter: Filter): boolean =>
  filter.kind === 'number' ? filter.value !== undefined : (filter.value?.length ?? 0) > 0;

export const unset = (filter: Filter): void => filter.onChange(undefined);

const shownWords = 2;

/** What a chip says after its label: the first words, and how many more. */
export const filterText = (filter: Filter): string => {
  if (filter.kind === 'number') return filter.value === undefined ? '' : filter.read(filter.value);
  const words = (filter.value ?? []).map((value) =>
    filter.kind === 'choice'
      ? (filter.options.find((option) => option.value === value)?.label ?? value)
      : value,
  );
  const rest = words.length - shownWords;
  return rest > 0 ? `${words.slice(0, shownWords).join(', ')} +${rest}` : words.join(', ');
};
