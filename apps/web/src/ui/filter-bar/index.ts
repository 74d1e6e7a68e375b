export {
  type ChoiceFilter,
  type Filter,
  isSet,
  type NumberFilter,
  type Period,
  type PeriodFilter,
  type PickFilter,
  type PressFilter,
  type Range,
  type RangeFilter,
  type TextFilter,
  type WordsFilter,
} from './filter.ts';
export { FilterBar, FilterBarButton, type FilterBarProps } from './filter-bar.tsx';
export { FilterEditor, type FilterEditorProps } from './filter-editor.tsx';
