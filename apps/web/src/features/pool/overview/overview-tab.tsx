import type { PoolDetail } from '@simcube/contract/pool';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { CostCard } from '../../../ui/cost-card/index.ts';
import { usePoolCost } from '../api/use-pool.ts';
import type { PoolPageSearch } from '../search.ts';
import { BurnDownCard } from './burn-down-card.tsx';
import { EventsCard } from './events-card.tsx';
import { LimitCard } from './limit-card.tsx';
import styles from './overview.module.css';
import { PoolFigures } from './pool-figures.tsx';
import { RankCard } from './rank-card.tsx';

export interface OverviewProps extends Pick<SearchScreenProps<PoolPageSearch>, 'hrefOf'> {
  poolId: string;
  /** Undefined while loading. */
  pool: PoolDetail | undefined;
}

export const OverviewTab = ({ poolId, pool, hrefOf }: OverviewProps) => (
  <div className={styles['overview']}>
    <PoolFigures pool={pool} poolId={poolId} />
    <div className={styles['columns']}>
      <div className={styles['column']}>
        <BurnDownCard poolId={poolId} />
        <EventsCard hrefOf={hrefOf} poolId={poolId} />
      </div>
      <div className={styles['column']}>
        <LimitCard hrefOf={hrefOf} poolId={poolId} />
        <RankCard hrefOf={hrefOf} poolId={poolId} sims={pool?.sims} />
        {/* Last: it is absent until it is known whether there is a cost. */}
        <CostCard query={usePoolCost(poolId)} />
      </div>
    </div>
  </div>
);
