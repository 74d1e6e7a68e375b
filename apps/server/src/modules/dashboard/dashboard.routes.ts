import { endpoints } from '@simcube/contract';
import type { Clock } from '../../platform/clock/index.ts';
import type { Sql } from '../../platform/db/index.ts';
import { type Route, route, withAsOf } from '../../platform/http/index.ts';
import { type FindCosts, withSimCosts } from '../sim/index.ts';
import { countLifecycles, getCard, getStatistics, listRank } from './dashboard.views.ts';

export interface DashboardOptions {
  pool: Sql;
  clock: Clock;
  costsOf: FindCosts;
}

export const dashboardRoutes = ({ pool, clock, costsOf }: DashboardOptions): Route[] => {
  const { card, statistics, rank, lifecycleCount } = endpoints.dashboard;
  return [
    route(card, async ({ org }) => {
      const now = clock.now();
      const { card: figures, snapshot } = await getCard(pool, { orgId: org.id, now });
      return withAsOf(figures, now, snapshot);
    }),
    route(statistics, async ({ org, query }) => {
      const now = clock.now();
      const { statistics: usage, snapshot } = await getStatistics(pool, {
        orgId: org.id,
        now,
        range: query.range,
      });
      return withAsOf(usage, now, snapshot);
    }),
    route(rank, async ({ org }) => {
      const found = await listRank(pool, org.id);
      return withAsOf(await withSimCosts(costsOf, org, found.rank), found.asOf ?? clock.now());
    }),
    route(lifecycleCount, async ({ org }) => withAsOf(await countLifecycles(pool, org.id), clock.now())),
  ];
};
