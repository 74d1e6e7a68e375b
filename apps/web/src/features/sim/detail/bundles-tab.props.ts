import type { OnSearchChange, SimDetailSearch } from '../search.ts';

export interface BundlesTabProps {
  iccid: string;
  search: SimDetailSearch;
  onSearchChange: OnSearchChange<SimDetailSearch>;
}
