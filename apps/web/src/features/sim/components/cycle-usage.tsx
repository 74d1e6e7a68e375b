import type { SimRow } from '@simcube/contract/sim';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { UsageBar } from '../../../ui/usage-bar/index.ts';

type Usage = Pick<SimRow, 'cycle_usage_bytes' | 'limit_bytes'>;

/** The usage bar of a SIM's cycle. */
export const CycleUsage = ({
  sim: { cycle_usage_bytes: used, limit_bytes: limit },
  size = 'row',
}: {
  sim: Usage;
  size?: 'row' | 'card';
}) => {
  const { t } = useTranslation();
  const format = useFormat();
  const label = limit
    ? t('sim.list.usageOf', { percent: format.percent(used / limit) })
    : t('sim.list.unlimited', { bytes: format.bytes(used).text });
  return <UsageBar label={label} limit={limit} size={size} used={used} />;
};
