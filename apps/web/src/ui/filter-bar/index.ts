export type { ChoiceFilter, Filter, NumberFilter, WordsFilter } from './filter.ts';
export { FilterBar, type FilterBarProps } from './filter-bar.tsx';
