import type { SimBasic } from '@simcube/contract/sim';
import type { OnSearchChange } from '../../../lib/search-params/fields.ts';
import { CostCard } from '../../../ui/cost-card/index.ts';
import { useSimCost } from '../api/use-sim-detail.ts';
import type { SimDetailSearch } from '../search.ts';
import { BundleCard } from './bundle-card.tsx';
import { DailyUsageCard } from './daily-usage-card.tsx';
import { IdentityCard } from './identity-card.tsx';
import { LiveTraceCard } from './live-trace-card.tsx';
import styles from './overview-tab.module.css';

interface OverviewProps {
  iccid: string;
  /** Undefined while loading. */
  basic: SimBasic | undefined;
  onSearchChange: OnSearchChange<SimDetailSearch>;
}

export const OverviewTab = ({ iccid, basic, onSearchChange }: OverviewProps) => (
  <div className={styles['grid']}>
    <div className={styles['column']}>
      <IdentityCard basic={basic} iccid={iccid} />
      <BundleCard basic={basic} />
      <CostCard query={useSimCost(iccid)} />
    </div>
    <div className={styles['column']}>
      <DailyUsageCard iccid={iccid} />
      <LiveTraceCard iccid={iccid} onAll={() => onSearchChange({ tab: 'events' }, 'push')} />
    </div>
  </div>
);
