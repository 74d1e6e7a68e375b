import type { SimRow } from '@simcube/contract/sim';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiResponse } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { noSelection, selectedCount } from '../../../ui/data-table/index.ts';
import { isShortSearch, ListScreen, useList } from '../../../ui/list-screen/index.ts';
import { selectionOf } from '../api/selection-of.ts';
import { useLiveList } from '../api/use-live-list.ts';
import { useSimList } from '../api/use-sim-list.ts';
import { BulkOperations } from '../components/bulk-operations.tsx';
import { LifecycleCounts } from '../components/lifecycle-counts.tsx';
import { ListActions } from '../components/list-actions.tsx';
import { RowMenu } from '../components/row-menu.tsx';
import { useSimColumns } from '../components/sim-columns.tsx';
import { useSimSearch } from '../components/sim-search.tsx';
import { useCopyIccids } from '../components/use-copy-iccids.ts';
import { useMissingList } from '../components/use-missing-list.ts';
import { useListCommands } from '../components/use-sim-commands.ts';
import { useSimMatches } from '../components/use-sim-matches.ts';
import { useSimOperations, useUrlAction } from '../operations/index.ts';
import { type SimSearch, simSearch } from '../search.ts';
import { simHref } from '../sim-display.ts';

/** Empty response for a pasted list that this tab does not have. */
const noSims: ApiResponse<SimRow[]> = {
  data: [],
  totalCount: null,
  totalRelation: 'eq',
  nextCursor: null,
  asOf: null,
  traceId: null,
};

export const SimListScreen = (address: SearchScreenProps<SimSearch>) => {
  const { t } = useTranslation();
  const { language, count } = useFormat();
  const { search } = address;
  const missingList = useMissingList(address);
  const query = useLiveList(useSimList(search, missingList === undefined));
  const list = useList({
    name: 'sims',
    of: simSearch,
    address,
    query: missingList ? { ...query, data: missingList === 'loading' ? undefined : noSims } : query,
    columns: useSimColumns(),
  });
  const { selection, onSelection } = list;
  const operations = useSimOperations((ordered) => {
    // An order for one row, or for the SIMs of a file, leaves the selection of others as it is.
    if (ordered !== undefined && ordered.iccid === undefined) onSelection(noSelection);
  });
  const { allowed, start } = operations;
  const rowActions = useCallback(
    (sim: SimRow) => (
      <RowMenu allowed={allowed} href={simHref(language, sim.iccid)} sim={sim} start={start} />
    ),
    [allowed, start, language],
  );
  const { total, relation } = list.count ?? { total: 0, relation: 'eq' as const };
  const copy = useCopyIccids({ selection, search, total, relation });
  const { children: searchDialogs, ...searchProps } = useSimSearch(list);
  const isNoneSelected = selectedCount(selection, total) === 0;
  const all = isNoneSelected ? { all: `${count(total)}${relation === 'gte' ? '+' : ''}` } : {};
  const target = { selection: selectionOf(selection, search), ...all };
  useListCommands({ operations, target, selected: selectedCount(selection, total), copy });
  const isCounted = list.count !== undefined && !list.state.isPlaceholderData;
  // The export says how many SIMs it contains.
  useUrlAction(search.start === 'export' && !isCounted ? undefined : search.start, (name) => {
    if (name === 'export' && allowed.includes('export')) start('export', target);
    if (name !== 'export' && allowed.includes('transfer')) operations[name]();
    list.close();
  });
  return (
    <ListScreen
      {...searchProps}
      actions={
        <ListActions
          activation={{
            ...target,
            selection: selectionOf(selection, search, ['pre-activated']),
            onShow: () => list.onFilter({ lifecycle: ['pre-activated'] }),
          }}
          disabled={total === 0}
          operations={operations}
          target={target}
        />
      }
      bulk={<BulkOperations copy={copy} operations={operations} target={target} />}
      counts={
        <LifecycleCounts
          enabled={missingList === undefined}
          onChange={(lifecycle) => list.onFilter({ lifecycle })}
          search={search}
        />
      }
      empty={{ title: t('sim.list.empty'), hint: t('sim.list.emptyHint') }}
      label={t('sim.list.label')}
      list={list}
      matches={useSimMatches()}
      noMatch={
        missingList
          ? { title: t('simList.list.missing'), hint: t('simList.list.missingHint') }
          : {
              title: t('sim.list.noMatch'),
              hint: t(isShortSearch(search.search) ? 'sim.list.shortSearchHint' : 'sim.list.noMatchHint'),
            }
      }
      rowActions={rowActions}
      rowHref={({ iccid }) => simHref(language, iccid)}
      rowKey={({ iccid }) => iccid}
      title={t('sim.title')}
    >
      {searchDialogs}
      {operations.dialog}
    </ListScreen>
  );
};
