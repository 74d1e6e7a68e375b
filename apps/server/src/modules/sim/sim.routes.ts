import { endpoints } from '@simcube/contract';
import type { Clock } from '../../platform/clock/index.ts';
import type { Db, Sql } from '../../platform/db/index.ts';
import { page, type Route, route, withAsOf } from '../../platform/http/index.ts';
import { PageBookmarks, pageQueryOf, readPage } from '../../platform/lists/index.ts';
import { withNetworks } from './events/event-networks.views.ts';
import { countSims } from './list/sim-counts.views.ts';
import { simList } from './list/sim-list.views.ts';
import {
  eventList,
  type FindCosts,
  type FindOverdue,
  getBasic,
  getConnection,
  type UsageViews,
} from './sim.views.ts';
import { scopedTo } from './sim-scope.views.ts';

export interface SimRoutesOptions {
  pool: Sql;
  db: Db;
  clock: Clock;
  usage: UsageViews;
  findOverdue: FindOverdue;
  costsOf: FindCosts;
}

/** @returns the route of the list, with this process's bookmarks of far pages */
const listRoute = ({ db, clock, findOverdue, costsOf }: SimRoutesOptions): Route => {
  const bookmarks = new PageBookmarks();
  return route(endpoints.sim.list, async ({ org, body }) => {
    const now = clock.now();
    const listQuery = {
      scope: { orgId: org.id, findOverdue, costsOf },
      now,
      bookmarks,
      ...pageQueryOf(body),
    };
    return page({ ...(await readPage(db, simList, listQuery)), asOf: now });
  });
};

const countsRoute = ({ db, clock }: SimRoutesOptions): Route =>
  route(endpoints.sim.listCounts, async ({ org, body }) => {
    const now = clock.now();
    return withAsOf(await countSims(db, { orgId: org.id, filter: body, now }), now);
  });

export const simRoutes = (options: SimRoutesOptions): Route[] => [
  listRoute(options),
  countsRoute(options),
  ...readRoutes(options),
];

const readRoutes = ({ pool, db, clock, usage, findOverdue }: SimRoutesOptions): Route[] => [
  route(endpoints.sim.basic, async ({ org, query }) =>
    getBasic(db, { sim: await scopedTo(org).sim(pool, query.iccid), now: clock.now() }),
  ),
  route(endpoints.sim.connection, async ({ org, query }) =>
    getConnection(db, { sim: await scopedTo(org).sim(pool, query.iccid), now: clock.now(), findOverdue }),
  ),
  route(endpoints.sim.connectionStatus, async ({ org, query }) => {
    const simOfOrg = await scopedTo(org).sim(pool, query.iccid);
    const { session: _, ...status } = await getConnection(db, {
      sim: simOfOrg,
      now: clock.now(),
      findOverdue,
    });
    return status;
  }),
  route(endpoints.sim.usage, async ({ org, query }) => {
    const { iccid, ...usageQuery } = query;
    return usage.simUsage(await scopedTo(org).sim(pool, iccid), usageQuery);
  }),
  route(endpoints.sim.events, async ({ org, query }) => {
    const { iccid, ...listQuery } = query;
    const scope = await scopedTo(org).sim(pool, iccid);
    const result = await readPage(db, eventList, { scope, now: clock.now(), ...pageQueryOf(listQuery) });
    return page({ ...result, data: await withNetworks(db, result.data) });
  }),
];
