import { type Lifecycle, lifecycles } from '@simcube/contract/sim';
import { useTranslation } from 'react-i18next';
import { QuickCounts } from '../../../ui/list-screen/index.ts';
import { useLifecycleCounts } from '../api/use-sim-list.ts';
import { lifecycleTones } from '../sim-words.ts';

interface LifecycleCountsProps {
  value: readonly Lifecycle[] | undefined;
  onChange: (value: Lifecycle[] | undefined) => void;
}

/** How many SIMs are in each state. */
export const LifecycleCounts = ({ value, onChange }: LifecycleCountsProps) => {
  const { t } = useTranslation();
  const { data } = useLifecycleCounts();
  if (!data) return null;
  return (
    <QuickCounts
      all={{ label: t('sim.list.all'), count: data.data.total }}
      counts={lifecycles.map((lifecycle) => ({
        value: lifecycle,
        label: t(`sim.lifecycle.${lifecycle}`),
        tone: lifecycleTones[lifecycle],
        count: data.data.lifecycle[lifecycle] ?? 0,
      }))}
      label={t('sim.list.quickCounts')}
      onChange={onChange}
      value={value}
    />
  );
};
