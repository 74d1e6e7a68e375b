import type { SimRow } from '@simcube/contract/sim';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { UsageBar } from '../../../ui/usage-bar/index.ts';

type Usage = Pick<SimRow, 'cycle_usage_bytes' | 'limit_bytes' | 'uses_pool_limit'>;

/** The usage bar of a SIM's cycle; a member of a shared pool may use more than its contribution. */
export const CycleUsage = ({
  sim: { cycle_usage_bytes: used, limit_bytes: limit, uses_pool_limit: isPooled },
  size = 'row',
}: {
  sim: Usage;
  size?: 'row' | 'card';
}) => {
  const { t } = useTranslation();
  const format = useFormat();
  const label = limit
    ? t(isPooled ? 'sim.list.usageOfContribution' : 'sim.list.usageOf', {
        percent: format.percent(used / limit),
      })
    : t('sim.list.unlimited', { bytes: format.bytes(used).text });
  return (
    <UsageBar label={label} limit={limit} size={size} tone={isPooled ? 'amount' : undefined} used={used} />
  );
};
