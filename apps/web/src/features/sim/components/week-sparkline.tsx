import type { SimRow } from '@simcube/contract/sim';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Sparkline } from '../../../ui/sparkline/index.ts';
import { usageTone } from '../../../ui/usage-bar/index.ts';

type Week = Pick<SimRow, 'week_bytes' | 'cycle_usage_bytes' | 'limit_bytes' | 'uses_pool_limit'>;

/** Seven days of one SIM; orange if its cycle needs attention. */
export const WeekSparkline = ({ sim }: { sim: Week }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const isNormal = sim.uses_pool_limit || usageTone(sim.cycle_usage_bytes, sim.limit_bytes) === 'amount';
  return (
    <Sparkline
      colour={isNormal ? 'grey' : 'orange'}
      label={t('sim.list.weekOf', { today: format.bytes(sim.week_bytes.at(-1) ?? 0).text })}
      unfinished
      values={sim.week_bytes}
      width={60}
    />
  );
};
