import { endpoints, limits } from '@simcube/contract';
import type { SimSelection } from '@simcube/contract/sim';
import type pg from 'pg';
import { dashboardDays } from '../../platform/clock/business-day.ts';
import type { Clock } from '../../platform/clock/index.ts';
import { type Db, inTransaction } from '../../platform/db/index.ts';
import { fail, page, type Route, requireOwnCode, route, withAsOf } from '../../platform/http/index.ts';
import { pageQueryOf, readPage } from '../../platform/lists/index.ts';
import { type FindCosts, type Ordering, ordererOf, type SimOrder, withSimCosts } from '../sim/index.ts';
import { findCycle } from './cycles/cycle.views.ts';
import {
  countMemberStates,
  listTerms,
  readBarChart,
  readLineChart,
  readRealTime,
  sumFormerUsage,
} from './cycles/figures.views.ts';
import { eventList, findEvent } from './event.views.ts';
import { memberList } from './membership/member.views.ts';
import { enrolRule, exitRule, type MembershipParameters } from './membership/membership.operation.ts';
import { type EnrolmentFacts, findEnrolmentFacts } from './membership/membership.views.ts';
import { activityList, findPool, findPools, poolList, poolNames } from './pool.views.ts';
import { renamePool } from './rename.service.ts';

const { pool: calls } = endpoints;

export interface PoolOptions {
  pool: pg.Pool;
  db: Db;
  clock: Clock;
  /** Creates the tasks for operations on many SIMs. */
  ordering: Ordering;
  costsOf: FindCosts;
}

interface PoolCall {
  org: { id: number };
  params: { poolId: string };
}

export const poolRoutes = (options: PoolOptions): Route[] => [
  ...listRoutes(options),
  ...figureRoutes(options),
  ...changeRoutes(options),
];

/** @throws Failure CB-03-0001 if the pool does not belong to the organisation */
const createPoolGetter =
  ({ pool, clock }: Pick<PoolOptions, 'pool' | 'clock'>) =>
  async ({ org, params }: PoolCall) => {
    const now = clock.now();
    const found = await findPool(pool, { orgId: org.id, id: Number(params.poolId), now });
    return found ? { now, id: Number(found.pool.id), ...found } : fail('CB-03-0001');
  };

const listRoutes = (options: PoolOptions): Route[] => {
  const { pool, db, clock, costsOf } = options;
  const getPool = createPoolGetter(options);
  const figuresOf = async (org: { id: number }, query: Parameters<typeof pageQueryOf>[0]) => {
    const scope = { orgId: org.id };
    const now = clock.now();
    const { data: ids, ...rest } = await readPage(db, poolList, { scope, now, ...pageQueryOf(query) });
    return page({ ...rest, data: await findPools(pool, { orgId: org.id, ids, now }), asOf: now });
  };
  return [
    route(calls.quickSearch, async ({ org, query }) =>
      page(
        await readPage(db, poolNames, { scope: { orgId: org.id }, now: clock.now(), ...pageQueryOf(query) }),
      ),
    ),
    route(calls.listOfOrganisation, ({ org, params, query }) => {
      requireOwnCode(org, params.orgCode);
      return figuresOf(org, query);
    }),
    route(calls.listPools, ({ org, query }) => figuresOf(org, query)),
    route(calls.activity, async (call) => {
      const { id, now } = await getPool(call);
      const listQuery = { scope: { poolId: id }, now, ...pageQueryOf(call.query) };
      return page({ ...(await readPage(db, activityList, listQuery)), asOf: now });
    }),
    route(calls.events, async ({ org, query }) => {
      if (query.poolId !== undefined) await getPool({ org, params: { poolId: query.poolId } });
      const now = clock.now();
      const listQuery = { scope: { orgId: org.id }, now, ...pageQueryOf(query) };
      return page({ ...(await readPage(db, eventList, listQuery)), asOf: now });
    }),
    route(
      calls.eventDetail,
      async ({ org, params }) =>
        (await findEvent(pool, { orgId: org.id, id: Number(params.poolEventId) })) ?? fail('CB-03-0007'),
    ),
    route(calls.sims, async (call) => {
      const { id, now, pool: shown } = await getPool(call);
      const scope = { poolId: id, cycleStart: shown.cycle_started_at };
      const { data, ...rest } = await readPage(db, memberList, { scope, now, ...pageQueryOf(call.query) });
      return page({ ...rest, data: await withSimCosts(costsOf, call.org, data), asOf: now });
    }),
  ];
};

const figureRoutes = (options: PoolOptions): Route[] => {
  const { pool, db, costsOf } = options;
  const getPool = createPoolGetter(options);
  return [
    route(calls.detail, async (call) => {
      const { id, now, pool: shown, createdAt } = await getPool(call);
      const cycleStart = new Date(shown.cycle_started_at);
      const states = await countMemberStates(pool, { poolId: id, cycleStart, now });
      const figures = {
        created_at: createdAt.toISOString(),
        stopped_sims: states.stopped,
        overage_sims: states.overage,
        joined_in_cycle: states.joined,
        left_in_cycle: states.left,
        former_members_bytes: await sumFormerUsage(pool, id, cycleStart),
      };
      return withAsOf({ ...shown, ...figures }, now);
    }),
    route(calls.settings, async (call) => {
      const { id, now, pool: shown } = await getPool(call);
      const terms = await listTerms(pool, id, new Date(shown.cycle_started_at));
      return withAsOf({ pool: shown, terms }, now);
    }),
    route(calls.realTimeData, async (call) => {
      const {
        id,
        now,
        pool: { policy },
      } = await getPool(call);
      return withAsOf((await readRealTime(pool, { id, policy }, now)) ?? fail('CB-03-0001'), now);
    }),
    route(calls.lineChart, async (call) => {
      const { id, now, pool: shown } = await getPool(call);
      const at = new Date(call.query.at ?? shown.cycle_started_at);
      const cycle = (await findCycle(pool, id, at)) ?? fail('CB-03-0001');
      return withAsOf(await readLineChart(pool, id, cycle, now), now);
    }),
    route(calls.barChart, async (call) => {
      const { id, now } = await getPool(call);
      return withAsOf(await readBarChart(pool, id, call.query.day ?? dashboardDays.dayOf(now)), now);
    }),
    route(calls.simUsageRank, async (call) => {
      const { id, now, pool: shown } = await getPool(call);
      const scope = { poolId: id, cycleStart: shown.cycle_started_at };
      const { data } = await readPage(db, memberList, {
        scope,
        now,
        filter: {},
        sort: '-used_bytes',
        page: { page_no: 1, page_size: limits.pools.rank },
      });
      return withAsOf(await withSimCosts(costsOf, call.org, data), now);
    }),
  ];
};

const changeRoutes = (options: PoolOptions): Route[] => {
  const { pool, ordering } = options;
  const getPool = createPoolGetter(options);
  const order = async (
    rule: typeof enrolRule,
    call: PoolCall,
    selected: SimSelection,
  ): Promise<SimOrder<MembershipParameters, EnrolmentFacts>> => {
    const { id, bundleId, pool: shown } = await getPool(call);
    if (shown.opt_in !== 'manual') fail('CB-03-0004');
    return {
      rule,
      parameters: { pool_id: id, bundle_id: bundleId },
      remark: shown.name,
      selected,
      extraFacts: findEnrolmentFacts(bundleId),
      auditDetails: { pool: shown.name },
    };
  };
  return [
    route(calls.rename, async (call) => {
      const { id } = await getPool(call);
      const { actor, org, principal } = call;
      const caller = { orgId: org.id, userId: principal.userId, actor };
      return inTransaction(pool, (tx) =>
        renamePool(tx, caller, { id, name: call.body.name, at: options.clock.now() }),
      );
    }),
    route(calls.enrol, async (call) =>
      ordering.previewOrAccept(ordererOf(call), await order(enrolRule, call, call.body.selection), call.body),
    ),
    route(calls.exit, async (call) =>
      ordering.previewOrAccept(ordererOf(call), await order(exitRule, call, call.body.selection), call.body),
    ),
  ];
};
