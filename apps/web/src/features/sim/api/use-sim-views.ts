import { endpoints } from '@simcube/contract';
import { type SavedView, type SimFilter, simListBodySchema } from '@simcube/contract/sim';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type ApiResponse, call, endpointQuery } from '../../../lib/api-client/index.ts';
import type { ListView, ListViews } from '../../../ui/list-screen/index.ts';
import { useApiQuery } from '../../../ui/query/index.ts';
import { isUnknownList, type SimSearch, searchOfFilter, simFilterOf } from '../search.ts';

const { listViews, saveView, updateView, shareView, withdrawView, removeView, orderViews } = endpoints.sim;

/** The saved views of the SIM list in this organisation: the person's own and the shared ones. */
export const useSimViews = (): ListViews<SimSearch> => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { data, error, refetch } = useApiQuery(endpointQuery(listViews));
  const views = useMemo(() => data?.data.map(toListView), [data]);
  const refetchViews = () => client.invalidateQueries({ queryKey: [listViews.id] });
  const withRefetch = async (request: Promise<unknown>): Promise<void> => {
    try {
      await request;
    } finally {
      // Even if it failed: the view may have been changed or withdrawn in the meantime.
      await refetchViews();
    }
  };
  return {
    all: t('simList.views.all'),
    views,
    error,
    refetch,
    // A view of pasted SIMs that this tab does not have would be one of none.
    isSavable: (search) => !isUnknownList(search),
    naming: {
      schema: saveView.body.pick({ name: true }),
      codes: ['CB-01-0022', 'CB-01-0023'],
    },
    save: async (name, search) => {
      const body = { name, ...toContent(search) };
      const { data: created } = await call(saveView, { body, announce: false });
      await refetchViews();
      return created.id;
    },
    rename: (viewId, name) =>
      withRefetch(call(updateView, { params: { viewId }, body: { name }, announce: false })),
    update: (viewId, search) =>
      withRefetch(call(updateView, { params: { viewId }, body: toContent(search) })),
    share: (viewId) => withRefetch(call(shareView, { params: { viewId } })),
    withdraw: (viewId) => withRefetch(call(withdrawView, { params: { viewId } })),
    remove: (viewId) => withRefetch(call(removeView, { params: { viewId } })),
    order: async (view_ids) => {
      // The tab moves immediately; the server's order follows.
      client.setQueryData<ApiResponse<SavedView[]>>(
        endpointQuery(listViews).queryKey,
        (before) => before && { ...before, data: sortByIds(before.data, view_ids) },
      );
      await withRefetch(call(orderViews, { body: { view_ids: [...view_ids] } }));
    },
  };
};

const sortSchema = simListBodySchema.shape.sort;

/** The part of the search parameters that is saved. */
const toContent = (search: SimSearch) => ({
  filter: simFilterOf(search),
  sort: sortSchema.parse(search.sort) ?? null,
});

const toListView = ({ filter, sort, ...view }: SavedView): ListView<SimSearch> => {
  const { identifiers, ...rest } = filter;
  // A list of identifiers is stored in the tab when the view is opened; here it is only compared.
  const content = toContent({ ...searchOfFilter(rest), sort: sort ?? undefined });
  const ownText = canonicalText({ ...content, filter: { ...content.filter, identifiers } });
  return {
    ...view,
    open: () => ({ ...searchOfFilter(filter), sort: sort ?? undefined, view: view.id }),
    isShownBy: (search) => canonicalText(toContent(search)) === ownText,
  };
};

/** Equal for filters that match the same, in whatever order they were chosen. */
const canonicalText = ({ filter, sort }: { filter: SimFilter; sort: string | null }): string =>
  JSON.stringify([
    sort,
    Object.entries(filter)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, Array.isArray(value) ? value.toSorted() : value])
      .toSorted(([one], [other]) => String(one).localeCompare(String(other))),
  ]);

const sortByIds = (views: readonly SavedView[], ids: readonly string[]): SavedView[] =>
  views.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
