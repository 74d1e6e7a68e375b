import { endpoints } from '@simcube/contract';
import { type Route, route } from '../../platform/http/index.ts';
import { scopedTo } from '../sim/index.ts';
import { type CostOptions, costsOf } from './cost.service.ts';

export const priceRoutes = (options: CostOptions): Route[] => [
  route(endpoints.price.simCost, async ({ org, query }) => {
    const { id, orgId } = await scopedTo(org).sim(options.pool, query.iccid);
    return (await costsOf(options, { orgId, simIds: [id] })).get(id) ?? null;
  }),
];
