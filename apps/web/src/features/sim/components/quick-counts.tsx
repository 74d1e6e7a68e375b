import { type Lifecycle, lifecycles } from '@simcube/contract/sim';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Dot } from '../../../ui/status/index.ts';
import { useLifecycleCounts } from '../api/use-sim-list.ts';
import { lifecycleTones } from '../sim-words.ts';
import styles from './quick-counts.module.css';

interface QuickCountsProps {
  value: readonly Lifecycle[] | undefined;
  onChange: (value: Lifecycle[] | undefined) => void;
}

/** How many SIMs are in each state; pressing one shows only those. */
export const QuickCounts = ({ value, onChange }: QuickCountsProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = useLifecycleCounts();
  if (!data) return null;
  return (
    <fieldset className={styles['counts']}>
      <legend className={styles['legend']}>{t('sim.list.quickCounts')}</legend>
      <button
        aria-pressed={value === undefined}
        className={styles['count']}
        onClick={() => onChange(undefined)}
        type="button"
      >
        {t('sim.list.all')} <b>{format.count(data.data.total)}</b>
      </button>
      {lifecycles.map((lifecycle) => {
        const on = value?.length === 1 && value[0] === lifecycle;
        return (
          <button
            aria-pressed={on}
            className={styles['count']}
            key={lifecycle}
            onClick={() => onChange(on ? undefined : [lifecycle])}
            type="button"
          >
            <Dot tone={lifecycleTones[lifecycle]} />
            {t(`sim.lifecycle.${lifecycle}`)} <b>{format.count(data.data.lifecycle[lifecycle] ?? 0)}</b>
          </button>
        );
      })}
    </fieldset>
  );
};
