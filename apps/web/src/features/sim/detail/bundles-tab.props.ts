import type { OnSearchChange } from '../../../lib/search-params/fields.ts';
import type { SimDetailSearch } from '../search.ts';

export interface BundlesTabProps {
  iccid: string;
  search: SimDetailSearch;
  onSearchChange: OnSearchChange<SimDetailSearch>;
}
