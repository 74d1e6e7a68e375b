import { endpoints } from '@simcube/contract';
import { fail, type Route, route } from '../../platform/http/index.ts';
import { scopedTo } from '../sim/index.ts';
import { type CostOptions, costsOf, poolCost } from './costs/cost.service.ts';

export const priceRoutes = (options: CostOptions): Route[] => [
  route(endpoints.price.simCost, async ({ org, query }) => {
    const { iccid } = query;
    const { orgId } = await scopedTo(org).sim(options.pool, iccid);
    return (await costsOf(options, { orgId, iccids: [iccid] })).get(iccid) ?? null;
  }),
  route(endpoints.price.poolCost, async ({ org, query }) => {
    const cost = await poolCost(options, { orgId: org.id, id: Number(query.poolId) });
    return cost === undefined ? fail('CB-03-0001') : cost;
  }),
];
