export type { ChoiceFilter, Filter, NumberFilter, Period, PeriodFilter, WordsFilter } from './filter.ts';
export { FilterBar, type FilterBarProps } from './filter-bar.tsx';
