import { joinList } from '../../lib/format/index.ts';
import type { Tone } from '../status/index.ts';

interface Common {
  id: string;
  label: string;
  /** Shown when set, but not offered in the bar's menu: it is part of the advanced search. */
  advanced?: boolean;
  /** The list always has a value: the chip stays and can't be removed. */
  permanent?: boolean;
}

/** Some values of a fixed set. */
export interface ChoiceFilter extends Common {
  kind: 'choice';
  options: readonly { value: string; label: string; tone?: Tone }[];
  /** One value at a time: the list's call does not accept several. */
  single?: boolean;
  value: readonly string[] | undefined;
  onChange: (value: string[] | undefined) => void;
}

/** Words typed by the person, such as tags; suggestions are optional. */
export interface WordsFilter extends Common {
  kind: 'words';
  placeholder: string;
  suggestions: readonly string[];
  /** Characters that split a pasted text. */
  separators?: readonly string[];
  max: number;
  /** Why a word is invalid, as text; it is then not applied. */
  problem?: (word: string) => string | undefined;
  value: readonly string[] | undefined;
  /** Set to words that are not known here: the chip's text instead of them. */
  unknown?: string | undefined;
  onChange: (value: string[] | undefined) => void;
}

/** One number, with suggestions. */
export interface NumberFilter extends Common {
  kind: 'number';
  /** Formats the value for the chip: "≥ 80 %". */
  format: (value: number) => string;
  suggestions: readonly number[];
  min: number;
  max: number;
  value: number | undefined;
  onChange: (value: number | undefined) => void;
}

/** From a day to a day, both inclusive; either may be open. */
export interface PeriodFilter extends Common {
  kind: 'period';
  /** Days as YYYY-MM-DD. */
  value: Period | undefined;
  /** Formats the value for the chip. */
  format: (value: Period) => string;
  /** Suggested periods. */
  suggestions?: readonly { label: string; chosen: boolean; onChoose: () => void }[];
  /** Why a period is invalid, as text; it is then not applied. */
  problem?: (value: Period) => string | undefined;
  onChange: (value: Period | undefined) => void;
}

/** A text that must match in part or in full. */
export interface TextFilter extends Common {
  kind: 'text';
  placeholder?: string;
  maxLength: number;
  /** Why a text is invalid, as text; it is then not applied. */
  problem?: (text: string) => string | undefined;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** From a number to a number, both inclusive; either may be open. */
export interface RangeFilter extends Common {
  kind: 'range';
  /** Shown after the fields: "%", "MB". */
  unit: string;
  /** Number of decimals; whole numbers by default. */
  digits?: number;
  /** Suggested lower ends. */
  suggestions?: readonly number[];
  max: number;
  format: (value: Range) => string;
  value: Range | undefined;
  onChange: (value: Range | undefined) => void;
}

/** Some values of a long list, found by typing. */
export interface PickFilter extends Common {
  kind: 'pick';
  options: readonly { value: string; label: string }[];
  max: number;
  value: readonly string[] | undefined;
  onChange: (value: string[] | undefined) => void;
}

/** Set elsewhere: clicking its chip opens that place. */
export interface PressFilter extends Common {
  kind: 'press';
  /** The chip's text. */
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
    case 'words':
      return filter.unknown !== undefined || (filter.value?.length ?? 0) > 0;
    default:
      return (filter.value?.length ?? 0) > 0;
  }
};

export const clearFilter = (filter: Filter): void => filter.onChange(undefined);

const maxShownWords = 2;

/** The chip's text after its label. */
export const filterText = (filter: Filter): string => {
  if (!isSet(filter) && !filter.permanent) return '';
  switch (filter.kind) {
    case 'number':
      return filter.value === undefined ? '' : filter.format(filter.value);
    case 'period':
      return filter.format(filter.value ?? {});
    case 'range':
      return filter.value ? filter.format(filter.value) : '';
    case 'text':
    case 'press':
      return filter.value ?? '';
    case 'words':
      return filter.unknown ?? shortened(filter.value);
    default:
      return shortened(
        filter.value?.map((value) => filter.options.find((option) => option.value === value)?.label ?? value),
      );
  }
};

/** The first words, and the number of others. */
export const shortened = (words: readonly string[] = []): string => {
  const rest = words.length - maxShownWords;
  const shown = joinList(words.slice(0, maxShownWords));
  return rest > 0 ? `${shown} +${rest}` : shown;
};
