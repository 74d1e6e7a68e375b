import type { Tone } from '../status/index.ts';

interface Common {
  id: string;
  label: string;
}

/** Some of a fixed set. */
export interface ChoiceFilter extends Common {
  kind: 'choice';
  options: readonly { value: string; label: string; tone?: Tone }[];
  /** One at a time: the list can't be asked for several. */
  single?: boolean;
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

/** From a day to a day, both inclusive; either may be left open. */
export interface PeriodFilter extends Common {
  kind: 'period';
  /** Days as YYYY-MM-DD. */
  value: Period | undefined;
  /** How the value reads in the chip. */
  read: (value: Period) => string;
  onChange: (value: Period | undefined) => void;
}

export interface Period {
  from?: string | undefined;
  to?: string | undefined;
}

export type Filter = ChoiceFilter | WordsFilter | NumberFilter | PeriodFilter;

export const isSet = (filter: Filter): boolean => {
  switch (filter.kind) {
    case 'number':
      return filter.value !== undefined;
    case 'period':
      return filter.value?.from !== undefined || filter.value?.to !== undefined;
    default:
      return (filter.value?.length ?? 0) > 0;
  }
};

export const unset = (filter: Filter): void => filter.onChange(undefined);

const shownWords = 2;

/** What a chip says after its label: the first words, and how many more. */
export const filterText = (filter: Filter): string => {
  if (filter.kind === 'number') return filter.value === undefined ? '' : filter.read(filter.value);
  if (filter.kind === 'period') return isSet(filter) && filter.value ? filter.read(filter.value) : '';
  const words = (filter.value ?? []).map((value) =>
    filter.kind === 'choice'
      ? (filter.options.find((option) => option.value === value)?.label ?? value)
      : value,
  );
  const rest = words.length - shownWords;
  return rest > 0 ? `${words.slice(0, shownWords).join(', ')} +${rest}` : words.join(', ');
};
