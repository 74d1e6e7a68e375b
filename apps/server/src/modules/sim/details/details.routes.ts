import { endpoints } from '@simcube/contract';
import { fileRoute, page, type Route, route } from '../../../platform/http/index.ts';
import { pageQueryOf, readPage } from '../../../platform/lists/index.ts';
import { visiblePath } from '../../org/index.ts';
import { withNetworks } from '../events/event-networks.views.ts';
import type { SimRoutesOptions } from '../sim.routes.ts';
import { scopedTo } from '../sim-scope.views.ts';
import { traceFile, usageFile } from './details.files.ts';
import { getSpec, sessionList } from './details.views.ts';
import { traceList } from './status-trace.views.ts';

const { sim } = endpoints;

export const detailRoutes = ({ pool, db, clock, usage }: SimRoutesOptions): Route[] => {
  const simOf = (org: { id: number }, iccid: string) => scopedTo(org).sim(pool, iccid);
  return [
    route(sim.belongOrg, async ({ org, principal, params }) => {
      await simOf(org, params.iccid);
      return { path: await visiblePath(pool, { orgId: org.id, userId: principal.userId }) };
    }),
    route(sim.spec, async ({ org, params }) => getSpec(db, await simOf(org, params.iccid))),
    route(sim.statusTrace, async ({ org, query: { iccid, ...listQuery } }) => {
      const scope = await simOf(org, iccid);
      const result = await readPage(db, traceList, { scope, now: clock.now(), ...pageQueryOf(listQuery) });
      return page({ ...result, data: await withNetworks(db, result.data) });
    }),
    fileRoute(sim.statusTraceDownload, async ({ org, query, language, timeZone }) =>
      traceFile(db, { ...query, sim: await simOf(org, query.iccid), language, timeZone, now: clock.now() }),
    ),
    route(sim.sessions, async ({ org, query: { iccid, ...listQuery } }) =>
      page(
        await readPage(db, sessionList, {
          scope: await simOf(org, iccid),
          now: clock.now(),
          ...pageQueryOf(listQuery),
        }),
      ),
    ),
    fileRoute(sim.usageExport, async ({ org, body, language, timeZone }) =>
      usageFile(usage, { ...body, sim: await simOf(org, body.iccid), language, timeZone }),
    ),
  ];
};
