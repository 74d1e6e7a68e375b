import { endpoints } from '@simcube/contract';
import type pg from 'pg';
import type { Clock } from '../../platform/clock/index.ts';
import { typed } from '../../platform/db/index.ts';
import { contentTypes } from '../../platform/files/index.ts';
import { fileRoute, page, type Route, route } from '../../platform/http/index.ts';
import { pageQueryOf, readPage } from '../../platform/lists/index.ts';
import { exportEntries } from './audit.export.ts';
import { entryList } from './audit.views.ts';

export const auditRoutes = ({ pool, clock }: { pool: pg.Pool; clock: Clock }): Route[] => [
  route(endpoints.audit.list, async ({ body, org }) => {
    const query = { scope: { orgId: org.id }, now: clock.now(), ...pageQueryOf(body) };
    return page(await readPage(typed(pool), entryList, query));
  }),

  fileRoute(endpoints.audit.export, async ({ body, org }) => ({
    fileName: `audit-${org.code}-${clock.now().toISOString().slice(0, 10)}.csv`,
    contentType: contentTypes.csv,
    content: exportEntries(typed(pool), { scope: { orgId: org.id }, filter: body, now: clock.now() }),
  })),
];
