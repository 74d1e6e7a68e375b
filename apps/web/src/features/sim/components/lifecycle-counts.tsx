import { type Lifecycle, lifecycles } from '@simcube/contract/sim';
import { useTranslation } from 'react-i18next';
import { QuickCounts } from '../../../ui/list-screen/index.ts';
import { lifecycleTones } from '../../../ui/status/index.ts';
import { useLifecycleCounts } from '../api/use-sim-list.ts';
import type { SimSearch } from '../search.ts';

interface LifecycleCountsProps {
  search: SimSearch;
  /** This tab knows which SIMs are meant. */
  enabled: boolean;
  onChange: (value: Lifecycle[] | undefined) => void;
}

/** The number of matching SIMs in each state. */
export const LifecycleCounts = ({ search, enabled, onChange }: LifecycleCountsProps) => {
  const { t } = useTranslation();
  const { data, error, isPlaceholderData } = useLifecycleCounts(search, enabled);
  if (!enabled && !data && !error) return null;
  const counts = error ? undefined : data?.data;
  return (
    <QuickCounts
      all={{ label: t('sim.list.all'), count: counts?.total }}
      counts={lifecycles.map((lifecycle) => ({
        value: lifecycle,
        label: t(`sim.lifecycle.${lifecycle}`),
        tone: lifecycleTones[lifecycle],
        count: counts?.lifecycle[lifecycle],
      }))}
      label={t('sim.list.quickCounts')}
      onChange={onChange}
      relation={counts?.relation}
      stale={isPlaceholderData}
      value={search.lifecycle}
    />
  );
};
