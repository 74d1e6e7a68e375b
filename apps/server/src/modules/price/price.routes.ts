import { endpoints } from '@simcube/contract';
import { type Route, route } from '../../platform/http/index.ts';
import { scopedTo } from '../sim/index.ts';
import { type CostOptions, costsOf } from './cost.service.ts';

export const priceRoutes = (options: CostOptions): Route[] => [
  route(endpoints.price.simCost, async ({ org, query }) => {
    const { iccid } = query;
    const { orgId } = await scopedTo(org).sim(options.pool, iccid);
    return (await costsOf(options, { orgId, iccids: [iccid] })).get(iccid) ?? null;
  }),
];
