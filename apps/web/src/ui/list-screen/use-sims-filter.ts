import { useTranslation } from 'react-i18next';
import type { SimsInUrl, SimsOfUrl } from '../../lib/list-store/index.ts';
import type { ListParams } from '../../lib/search-params/list-search.ts';
import type { WordsFilter } from '../filter-bar/index.ts';
import type { FilterTarget } from './use-filter-builder.ts';

interface SimsFilterOptions<S extends ListParams> extends Pick<FilterTarget<S>, 'search' | 'onFilter'> {
  of: SimsOfUrl;
  label: string;
  placeholder: string;
  /** Shown for texts that are not identifiers. */
  problem: string;
}

/** Separators that people use between numbers. */
const separators = [',', ';', ' ', '\n', '\t', '|'];

/** A filter by SIMs; a long list is stored in this tab, not in the URL. */
export const useSimsFilter = <S extends ListParams & SimsInUrl>({
  of,
  search,
  onFilter,
  label,
  placeholder,
  problem,
}: SimsFilterOptions<S>): WordsFilter => {
  const { t } = useTranslation();
  return {
    kind: 'words',
    id: 'sims',
    label,
    placeholder,
    suggestions: [],
    separators,
    max: of.max,
    problem: (text) => (of.isIdentifier(text) ? undefined : problem),
    value: of.simsOf(search),
    unknown: of.listIsMissing(search) ? t('simList.list.missing') : undefined,
    onChange: (sims) => onFilter(of.simParams(sims) as Partial<S>),
  };
};
