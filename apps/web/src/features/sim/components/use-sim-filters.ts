import { connectionSchema, connections, lifecycleSchema, lifecycles, limits } from '@simcube/contract';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { useFormat } from '../../../lib/format/index.ts';
import type { Filter } from '../../../ui/filter-bar/index.ts';
import type { SimListSearch } from '../search.ts';
import { connectionTones, lifecycleTones } from '../sim-words.ts';

interface SimFilters {
  search: SimListSearch;
  /** Tags and bundles seen on screen are offered. */
  seen: { tags: readonly string[]; bundles: readonly string[] };
  onFilter: (filter: Partial<SimListSearch>) => void;
}

const only = <T>(schema: z.ZodType<T>, values: readonly string[] | undefined): T[] | undefined =>
  values?.flatMap((value) => schema.safeParse(value).data ?? []);

/** The filters of the SIM list as the filter bar wants them. */
export const useSimFilters = ({ search, seen, onFilter }: SimFilters): Filter[] => {
  const { t } = useTranslation();
  const format = useFormat();
  return [
    {
      kind: 'choice',
      id: 'lifecycle',
      label: t('sim.filters.status'),
      options: lifecycles.map((value) => ({
        value,
        label: t(`sim.lifecycle.${value}`),
        tone: lifecycleTones[value],
      })),
      value: search.lifecycle,
      onChange: (lifecycle) => onFilter({ lifecycle: only(lifecycleSchema, lifecycle) }),
    },
    {
      kind: 'choice',
      id: 'connection',
      label: t('sim.filters.connection'),
      options: connections.map((value) => ({
        value,
        label: t(`sim.connection.${value}`),
        tone: connectionTones[value],
      })),
      value: search.connection,
      onChange: (connection) => onFilter({ connection: only(connectionSchema, connection) }),
    },
    {
      kind: 'words',
      id: 'tags',
      label: t('sim.filters.tags'),
      placeholder: t('sim.filters.tagsHint'),
      offered: seen.tags,
      max: limits.tags.perSim,
      maxLength: limits.tags.length,
      value: search.tags,
      onChange: (tags) => onFilter({ tags }),
    },
    {
      kind: 'words',
      id: 'bundle',
      label: t('sim.filters.bundle'),
      placeholder: t('sim.filters.bundleHint'),
      offered: seen.bundles,
      max: 20,
      maxLength: 40,
      value: search.bundle,
      onChange: (bundle) => onFilter({ bundle }),
    },
    {
      kind: 'number',
      id: 'usage',
      label: t('sim.filters.usage'),
      read: (percent) => t('sim.filters.usageOver', { percent: format.percent(percent / 100) }),
      offered: [50, 80, 95],
      min: 0,
      max: 10_000,
      value: search.usage,
      onChange: (usage) => onFilter({ usage }),
    },
    {
      kind: 'number',
      id: 'expires',
      label: t('sim.filters.expires'),
      read: (count) => t('sim.filters.expiresWithin', { count }),
      offered: [7, 30, limits.expiringSoonDays],
      min: 0,
      max: 365,
      value: search.expires,
      onChange: (expires) => onFilter({ expires }),
    },
    {
      kind: 'choice',
      id: 'over',
      label: t('sim.filters.overage'),
      options: [{ value: 'yes', label: t('sim.filters.overLimit') }],
      value: search.over ? [search.over] : undefined,
      onChange: (over) => onFilter({ over: over ? 'yes' : undefined }),
    },
  ];
};
