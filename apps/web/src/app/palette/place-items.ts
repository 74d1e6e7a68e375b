import { endpoints, limits } from '@simcube/contract';
import { useTranslation } from 'react-i18next';
import { searchOfFilter } from '../../features/sim/commands.ts';
import { taskName } from '../../features/task/index.ts';
import { endpointQuery } from '../../lib/api-client/index.ts';
import { useDebounced } from '../../lib/debounce/index.ts';
import { stringifySearch } from '../../lib/search-params/index.ts';
import { session } from '../../lib/session/index.ts';
import { useApiQuery } from '../../ui/query/index.ts';
import { iconOfPlace, useRecentPlaces } from '../recent-places.ts';
import { type PaletteItem, useGo, withFewInitially } from './palette-items.ts';

/** The places that the person opened last, in this organisation and this browser. */
export const useRecentItems = (): readonly PaletteItem[] => {
  const go = useGo();
  return withFewInitially(
    useRecentPlaces().map((place) => ({
      key: `recent-${place.path}`,
      icon: iconOfPlace(place),
      label: place.title,
      searchText: place.title,
      run: () => go(place.path),
    })),
  );
};

/** Saved views of the SIM list, in the person's order. */
export const useViewItems = (): readonly PaletteItem[] => {
  const go = useGo();
  const { data } = useApiQuery({ ...endpointQuery(endpoints.sim.listViews), enabled: session.can('sim') });
  return withFewInitially(
    (data?.data ?? []).map(({ id, name, filter, sort }) => ({
      key: `view-${id}`,
      icon: 'view',
      label: name,
      searchText: name,
      run: () => go(`simCard${stringifySearch({ ...searchOfFilter(filter), sort, view: id })}`),
    })),
  );
};

/** A task's reference as the server writes it, also if its leading zeros were left out. */
const referenceOf = (typed: string): string | undefined => {
  const [, digits] = /^T(\d{1,15})$/i.exec(typed) ?? [];
  return digits === undefined ? undefined : `T${digits.padStart(8, '0')}`;
};

/** The task whose reference was typed, if it exists. */
export const useTaskItems = (typed: string): readonly PaletteItem[] => {
  const { t } = useTranslation();
  const go = useGo();
  const reference = referenceOf(typed.trim());
  const requested = useDebounced(reference, limits.searchDebounceMs);
  const { data } = useApiQuery({
    ...endpointQuery(endpoints.task.getMine, { params: { taskReference: requested ?? '' } }),
    enabled: requested !== undefined && session.currentMembership() !== null,
  });
  if (!data || data.data.reference_id !== reference) return [];
  const label = `${reference} · ${taskName(data.data, t)} · ${t(`task.statuses.${data.data.status}`)}`;
  return [
    {
      key: `task-${reference}`,
      icon: 'task',
      label,
      searchText: `${typed} ${label}`,
      run: () => go(`taskcenter?task=${reference}`),
    },
  ];
};
