import { endpoints, type Language } from '@simcube/contract';
import type pg from 'pg';
import { dashboardDays } from '../../platform/clock/business-day.ts';
import type { Clock } from '../../platform/clock/index.ts';
import type { Db } from '../../platform/db/index.ts';
import { fail, fileRoute, page, type Route, route } from '../../platform/http/index.ts';
import { type ListPage, pageQueryOf, readPage } from '../../platform/lists/index.ts';
import { cycleMemberList, noCycle } from '../pool/index.ts';
import { billFile } from './bills/bill-file.ts';
import { billList, findBills, findOwnBill, findVersionHistory, versionList } from './bills/bills.views.ts';
import { findBilledCycle, isSimOnBill } from './bills/cycle.views.ts';
import { lineList, readExtract } from './bills/lines.views.ts';
import { readPoolCycle } from './bills/pool-cycle.service.ts';
import { findPoolOfLine } from './bills/pool-cycle.views.ts';
import { readSettlement } from './bills/settlement.views.ts';
import { lineSimList, simList } from './bills/sims.views.ts';
import { createCheckRequests } from './check/request-check.service.ts';
import { findCheck, findRun } from './check/stored-checks.views.ts';
import { findCustomer } from './customers.views.ts';
import { findEstimate } from './estimate/stored-estimates.views.ts';
import { findOffers } from './offers/stored-offers.views.ts';
import { downloadBill, previewBill } from './pdf/bill-pdf.service.ts';
import { findPayeeOf } from './publication/payee.views.ts';

const { finance: calls } = endpoints;

export interface FinanceRouteOptions {
  pool: pg.Pool;
  db: Db;
  clock: Clock;
}

export const financeRoutes = (options: FinanceRouteOptions): Route[] => {
  const { pool, db, clock } = options;
  const requireOwnBill = async (org: { id: number }, billId: string) =>
    (await findOwnBill(pool, { orgId: org.id, id: Number(billId) })) ?? fail('CB-06-0001');
  const pdfRequest = async (
    orgId: number,
    query: { billId: string; language?: Language | undefined },
    language: Language,
  ) => ({
    orgId,
    bill: await requireOwnBill({ id: orgId }, query.billId),
    now: clock.now(),
    language: query.language ?? language,
  });
  const requestCheck = createCheckRequests(options);
  const billPage = async (orgId: number, now: Date, found: ListPage<number>) =>
    page({ ...found, data: await findBills(pool, { orgId, ids: found.data, now }), asOf: now });
  return [
    route(calls.list, async ({ org, body }) => {
      const now = clock.now();
      return billPage(
        org.id,
        now,
        await readPage(db, billList, { scope: { orgId: org.id }, now, ...pageQueryOf(body) }),
      );
    }),
    route(calls.listSims, async ({ org, body: { billId, line, ...paging } }) => {
      const { id } = await requireOwnBill(org, billId);
      const query = { now: clock.now(), ...pageQueryOf(paging) };
      return page(
        line === undefined
          ? await readPage(db, simList, { scope: { billId: id }, ...query })
          : await readPage(db, lineSimList, { scope: { billId: id, line }, ...query }),
      );
    }),
    route(calls.cycle, async ({ org, query: { billId, line, iccid, cycle } }) => {
      const { id } = await requireOwnBill(org, billId);
      if (!(await isSimOnBill(pool, { orgId: org.id, billId: id, iccid }))) return fail('CB-06-0001');
      return (
        (await findBilledCycle(pool, { billId: id, line, iccid, cycleAt: cycle, now: clock.now() })) ?? null
      );
    }),
    route(calls.poolCycle, async ({ org, query: { billId, line } }) => {
      const { id } = await requireOwnBill(org, billId);
      const found = await findPoolOfLine(pool, { billId: id, line });
      return found ? readPoolCycle(pool, found) : null;
    }),
    route(calls.listPoolMembers, async ({ org, body: { billId, line, ...paging } }) => {
      const { id } = await requireOwnBill(org, billId);
      const found = await findPoolOfLine(pool, { billId: id, line });
      const scope = found ? { ...found.cycle, orgId: found.section.orgId } : noCycle;
      return page(await readPage(db, cycleMemberList, { scope, now: clock.now(), ...pageQueryOf(paging) }));
    }),
    route(calls.check, async ({ org, body: { billId } }) => requestCheck(await requireOwnBill(org, billId))),
    route(calls.estimate, async ({ org }) => ({
      billed: (await findCustomer(pool, org.id)) !== undefined,
      estimate: await findEstimate(pool, { orgId: org.id, month: dashboardDays.monthOf(clock.now()) }),
    })),
    route(calls.offers, async ({ org }) => ({
      billed: (await findCustomer(pool, org.id)) !== undefined,
      offers: await findOffers(pool, org.id),
    })),
    route(calls.settles, ({ org, query: { year } }) =>
      readSettlement(pool, { orgId: org.id, now: clock.now(), year }),
    ),
    route(calls.extract, async ({ org, params }) =>
      readExtract(pool, (await requireOwnBill(org, params.billId)).id),
    ),
    route(calls.details, async ({ org, query: { billId, ...paging } }) => {
      const { id } = await requireOwnBill(org, billId);
      return page(
        await readPage(db, lineList, { scope: { billId: id }, now: clock.now(), ...pageQueryOf(paging) }),
      );
    }),
    fileRoute(calls.download, async ({ org, params, query, language, timeZone }) => {
      const bill = await requireOwnBill(org, params.billId);
      return billFile(pool, { ...query, bill, language, timeZone });
    }),
    fileRoute(calls.pdf, async ({ org, query, language }) =>
      downloadBill(pool, await pdfRequest(org.id, query, language)),
    ),
    fileRoute(calls.previewPdf, async ({ org, query, language }) =>
      previewBill(pool, await pdfRequest(org.id, query, language)),
    ),
    route(calls.version, async ({ org, query }) => {
      const found = await requireOwnBill(org, query.billId);
      const [bill] = await findBills(pool, { orgId: org.id, ids: [found.id], now: clock.now() });
      if (!bill) return fail('CB-06-0001');
      const { before, payments } = await findVersionHistory(pool, found);
      const replaces = before && {
        id: String(before.id),
        version: before.version,
        total_minor: before.total_minor,
        issued_at: before.issued_at.toISOString(),
        reason: found.reason ?? '',
      };
      const [check, checking, payee] = await Promise.all([
        findCheck(pool, found.id),
        findRun(pool, { billId: found.id, now: clock.now() }),
        findPayeeOf(pool, found.id),
      ]);
      return { bill, check, checking, payee, replaces: replaces ?? null, payments };
    }),
    route(calls.versions, async ({ org, query: { billId, ...paging } }) => {
      const { serial } = await requireOwnBill(org, billId);
      const now = clock.now();
      const scope = { orgId: org.id, serial };
      return billPage(org.id, now, await readPage(db, versionList, { scope, now, ...pageQueryOf(paging) }));
    }),
  ];
};
