import { endpoints } from '@simcube/contract';

import type { CdrFilter, CdrQuery } from '@simcube/contract/cdr';
import type pg from 'pg';
import type { Clock } from '../../platform/clock/index.ts';
import type { Db } from '../../platform/db/index.ts';
import { page, type Route, requireOwnCode, route, withAsOf } from '../../platform/http/index.ts';
import { pageQueryOf, readPage } from '../../platform/lists/index.ts';
import { scopedTo } from '../sim/index.ts';
import { cdrList } from './cdr-list.views.ts';
import { readDetail } from './detail/detail.views.ts';
import { orderCdrExport } from './export/cdr-export.service.ts';
import { listCells, listCountries, listOperators } from './places.views.ts';
import { readSums } from './sums/sums.views.ts';

export interface CdrOptions {
  pool: pg.Pool;
  db: Db;
  clock: Clock;
}

const { cdr } = endpoints;

/** A query string has one value where a body has a list. */
const filterOf = (query: CdrQuery): CdrFilter => {
  const { from, to, session, country, operator, radio, apn, source } = query;
  return {
    from,
    to,
    session,
    country: country === undefined ? undefined : [country],
    operator: operator === undefined ? undefined : [operator],
    radio: radio && [radio],
    apn: apn === undefined ? undefined : [apn],
    source: source && [source],
  };
};

export const cdrRoutes = ({ pool, db, clock }: CdrOptions): Route[] => {
  const simOf = async (org: { id: number }, iccid: string) => {
    const { id, orgId } = await scopedTo(org).simEverOwned(pool, iccid);
    return { orgId, simId: id };
  };
  return [
    route(cdr.list, async ({ org, params, body }) => {
      requireOwnCode(org, params.partnerCode);
      const now = clock.now();
      const request = { scope: { orgId: org.id }, now, ...pageQueryOf(body) };
      return page({ ...(await readPage(db, cdrList, request)), asOf: now });
    }),
    route(cdr.listOfSim, async ({ org, params, query }) => {
      const now = clock.now();
      const { page: requestedPage, sort } = pageQueryOf(query);
      const scope = await simOf(org, params.iccid);
      const request = { scope, now, page: requestedPage, sort, filter: filterOf(query) };
      return page({ ...(await readPage(db, cdrList, request)), asOf: now });
    }),
    route(cdr.detail, async ({ org, params }) =>
      readDetail({ db, pool }, { orgId: org.id, id: params.recordId, now: clock.now() }),
    ),
    route(cdr.sums, async ({ org, params, body }) => {
      requireOwnCode(org, params.partnerCode);
      const { group_by = [], before, ...filter } = body;
      const now = clock.now();
      const request = { scope: { orgId: org.id }, filter, now, groupings: [...new Set(group_by)], before };
      return withAsOf(await readSums(db, request), now);
    }),
    route(cdr.sumsOfSim, async ({ org, params, query }) => {
      requireOwnCode(org, params.partnerCode);
      const now = clock.now();
      const scope = await simOf(org, params.iccid);
      const groupings = query.group_by ? [query.group_by] : [];
      return withAsOf(
        await readSums(db, { scope, filter: filterOf(query), now, groupings, before: false }),
        now,
      );
    }),
    ...placeRoutes({ pool, db, clock }, simOf),
    ...fileRoutes({ pool, db, clock }),
  ];
};

const placeRoutes = (
  { db, clock }: CdrOptions,
  simOf: (org: { id: number }, iccid: string) => Promise<{ orgId: number; simId: number }>,
): Route[] => [
  route(cdr.listCountries, async ({ org }) => withAsOf(await listCountries(db, org.id), clock.now())),
  route(cdr.listOperators, async ({ org }) => withAsOf(await listOperators(db, org.id), clock.now())),
  route(cdr.listCells, async ({ org, query }) => {
    const { iccid, from, to, country } = query;
    const now = clock.now();
    const scope = iccid === undefined ? { orgId: org.id } : await simOf(org, iccid);
    return withAsOf(await listCells(db, { scope, filter: filterOf({ from, to, country }), now }), now);
  }),
];

const fileRoutes = (options: CdrOptions): Route[] => [
  route(cdr.exportSelected, ({ org, principal, actor, params, body, language, timeZone }) => {
    requireOwnCode(org, params.partnerCode);
    const { records, columns } = body;
    const what = { rows: 'chosen', records } as const;
    const orderer = { org, userId: principal.userId, actor };
    return orderCdrExport(options, orderer, { what, columns, format: params.format, language, timeZone });
  }),
  route(cdr.exportAll, ({ org, principal, actor, params, body, language, timeZone }) => {
    requireOwnCode(org, params.partnerCode);
    const { filter, rows, columns } = body;
    const orderer = { org, userId: principal.userId, actor };
    const what = { rows, filter };
    return orderCdrExport(options, orderer, { what, columns, format: params.format, language, timeZone });
  }),
];
