import type { Tone } from '../status/index.ts';

interface Common {
  id: string;
  label: string;
  /** Shown when set, but not offered in the bar's menu: it is found in the advanced search. */
  quiet?: boolean;
  /** The list always has one: its chip stays, and can't be taken off. */
  stays?: boolean;
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
  /** What a pasted text is split by. */
  separators?: readonly string[];
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
  /** Periods at hand. */
  offered?: readonly { label: string; chosen: boolean; onChoose: () => void }[];
  /** What is wrong with a period, in words; it is not applied then. */
  problem?: (value: Period) => string | undefined;
  onChange: (value: Period | undefined) => void;
}

/** A text that must be part of something, or all of it. */
export interface TextFilter extends Common {
  kind: 'text';
  placeholder?: string;
  maxLength: number;
  /** What is wrong with a text, in words; it is not applied then. */
  problem?: (text: string) => string | undefined;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** From a number to a number, both inclusive; either may be left open. */
export interface RangeFilter extends Common {
  kind: 'range';
  /** After the fields: "%", "MB". */
  unit: string;
  /** Digits behind the point; whole numbers without it. */
  digits?: number;
  /** Lower ends at hand. */
  offered?: readonly number[];
  max: number;
  read: (value: Range) => string;
  value: Range | undefined;
  onChange: (value: Range | undefined) => void;
}

/** Some of a long set, found by typing. */
export interface PickFilter extends Common {
  kind: 'pick';
  options: readonly { value: string; label: string }[];
  max: number;
  value: readonly string[] | undefined;
  onChange: (value: string[] | undefined) => void;
}

/** Set elsewhere: pressing its chip opens that place. */
export interface PressFilter extends Common {
  kind: 'press';
  /** What the chip says. */
  value: string | undefined;
  onPress: () => void;
  onChange: (value: undefined) => void;
}

export interface Range {
  min?: number | undefined;
  max?: number | undefined;
}

export interface Period {
  from?: string | undefined;
  to?: string | undefined;
}

export type Filter =
  | ChoiceFilter
  | WordsFilter
  | NumberFilter
  | PeriodFilter
  | TextFilter
  | RangeFilter
  | PickFilter
  | PressFilter;

export const isSet = (filter: Filter): boolean => {
  switch (filter.kind) {
    case 'number':
      return filter.value !== undefined;
    case 'range':
      return filter.value?.min !== undefined || filter.value?.max !== undefined;
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
  if (!isSet(filter) && !filter.stays) return '';
  switch (filter.kind) {
    case 'number':
      return filter.value === undefined ? '' : filter.read(filter.value);
    case 'period':
      return filter.read(filter.value ?? {});
    case 'range':
      return filter.value ? filter.read(filter.value) : '';
    case 'text':
    case 'press':
      return filter.value ?? '';
    case 'words':
      return firstOf(filter.value);
    default:
      return firstOf(
        filter.value?.map((value) => filter.options.find((option) => option.value === value)?.label ?? value),
      );
  }
};

const firstOf = (words: readonly string[] = []): string => {
  const rest = words.length - shownWords;
  return rest > 0 ? `${words.slice(0, shownWords).join(', ')} +${rest}` : words.join(', ');
};
