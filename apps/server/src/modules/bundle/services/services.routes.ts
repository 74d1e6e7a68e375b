import { endpoints } from '@simcube/contract';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Db } from '../../../platform/db/index.ts';
import { fileRoute, page, type Route, route } from '../../../platform/http/index.ts';
import { pageQueryOf, readPage } from '../../../platform/lists/index.ts';
import {
  type FindCosts,
  type FindOverdue,
  findLocation,
  getBasic,
  getConnection,
  scopedTo,
} from '../../sim/index.ts';
import { getCoverage, getOverusePolicy } from './coverage.views.ts';
import { cycleList } from './cycles.views.ts';
import { type FindPastCosts, withCosts, withCycleCost } from './service-costs.ts';
import { orderServiceExport } from './service-export.service.ts';
import { orgServiceList } from './service-list.views.ts';
import { countriesFile, cyclesFile, servicesFile } from './services.files.ts';
import { getBundle, getServiceDetail, listPackages, serviceList, usageByOrder } from './services.views.ts';

export interface ServiceRoutesOptions {
  pool: pg.Pool;
  db: Db;
  clock: Clock;
  findOverdue: FindOverdue;
  costsOf: FindCosts;
  pastCostsOf: FindPastCosts;
}

const { bundle } = endpoints;
/** Number of orders in the overview; another call lists all of them. */
const servicesInDetails = { page_no: 1, page_size: 20 };

export const serviceRoutes = (options: ServiceRoutesOptions): Route[] => [
  ...readRoutes(options),
  ...fileRoutes(options),
  ...listRoutes(options),
];

const simOf = ({ pool }: Pick<ServiceRoutesOptions, 'pool'>) => {
  return (org: { id: number }, iccid: string) => scopedTo(org).sim(pool, iccid);
};

const readRoutes = (options: ServiceRoutesOptions): Route[] => {
  const { pool, db, clock, findOverdue, costsOf } = options;
  const getSim = simOf({ pool });
  return [
    route(bundle.simDetails, async ({ org, query }) => {
      const sim = await getSim(org, query.iccid);
      const now = clock.now();
      const [basic, connection, services, location] = await Promise.all([
        getBasic(db, { sim, now }),
        getConnection(db, { sim, now, findOverdue }),
        readPage(db, serviceList, { scope: sim, filter: {}, now, page: servicesInDetails }),
        findLocation(pool, sim),
      ]);
      return { basic, connection, services: services.data, location };
    }),
    route(bundle.listServices, async ({ org, query: { iccid, ...pageQuery } }) =>
      page(
        await readPage(db, serviceList, {
          scope: await getSim(org, iccid),
          now: clock.now(),
          ...pageQueryOf(pageQuery),
        }),
      ),
    ),
    route(bundle.current, async ({ org, query }) => getBundle(db, await getSim(org, query.iccid))),
    route(bundle.listPackages, async ({ org, params }) => listPackages(db, await getSim(org, params.iccid))),
    route(bundle.detail, async ({ org, params }) =>
      getServiceDetail(db, { ...params, sim: await getSim(org, params.iccid) }),
    ),
    route(bundle.coverage, async ({ org, params }) => getCoverage(db, await getSim(org, params.iccid))),
    route(bundle.overusePolicy, async ({ org, params }) =>
      getOverusePolicy(db, { sim: await getSim(org, params.iccid), now: clock.now() }),
    ),
    route(bundle.listOrders, async ({ org, body: { iccid, ...pageQuery } }) => {
      const sim = await getSim(org, iccid);
      const listQuery = { scope: sim, now: clock.now(), ...pageQueryOf(pageQuery) };
      const { data, ...rest } = await readPage(db, serviceList, listQuery);
      const used = await usageByOrder(db, sim, data);
      const costs = await withCosts(costsOf, org, data);
      return page({
        ...rest,
        data: costs.map((service) => ({ ...service, used_bytes: used.get(service.order_id) ?? 0 })),
      });
    }),
    route(bundle.listCycles, async ({ org, body: { iccid, ...pageQuery } }) => {
      const sim = await getSim(org, iccid);
      const now = clock.now();
      const listQuery = { scope: sim, now, ...pageQueryOf(pageQuery) };
      const { data, ...rest } = await readPage(db, cycleList, listQuery);
      return page({ ...rest, data: await withCycleCost(options, { org, sim, iccid, now }, data) });
    }),
  ];
};

const fileRoutes = ({ pool, db, clock, costsOf, pastCostsOf }: ServiceRoutesOptions): Route[] => {
  const getSim = simOf({ pool });
  return [
    fileRoute(bundle.exportOrders, async ({ org, body, language, timeZone }) =>
      servicesFile(
        { db, costsOf },
        {
          ...body,
          sim: await getSim(org, body.iccid),
          language,
          timeZone,
          now: clock.now(),
        },
      ),
    ),
    fileRoute(bundle.exportCycles, async ({ org, body, language, timeZone }) => {
      const sim = await getSim(org, body.iccid);
      return cyclesFile(
        { db, costsOf, pastCostsOf },
        { ...body, org, sim, language, timeZone, now: clock.now() },
      );
    }),
    fileRoute(bundle.exportCoverage, async ({ org, body, language, timeZone }) =>
      countriesFile(db, { ...body, sim: await getSim(org, body.iccid), language, timeZone }),
    ),
  ];
};

const listRoutes = (options: ServiceRoutesOptions): Route[] => [
  route(bundle.list, async ({ org, body }) => {
    const now = options.clock.now();
    const listQuery = { scope: { orgId: org.id }, now, ...pageQueryOf(body) };
    const { data, ...rest } = await readPage(options.db, orgServiceList, listQuery);
    return page({ ...rest, data: await withCosts(options.costsOf, org, data), asOf: now });
  }),
  route(bundle.exportList, ({ org, principal, actor, body, language, timeZone }) =>
    orderServiceExport(options, { org, userId: principal.userId, actor }, { ...body, language, timeZone }),
  ),
];
