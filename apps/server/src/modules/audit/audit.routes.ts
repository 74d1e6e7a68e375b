import { endpoints } from '@simcube/contract';
import type pg from 'pg';
import { z } from 'zod';
import type { Clock } from '../../platform/clock/index.ts';
import { decodeCursor, encodeCursor, fileRoute, page, type Route, route } from '../../platform/http/index.ts';
import { exportEntries } from './audit.export.ts';
import { countEntries, listEntries } from './audit.views.ts';

const positionSchema = z.int().positive();

export const auditRoutes = ({ pool, clock }: { pool: pg.Pool; clock: Clock }): Route[] => [
  route(endpoints.audit.list, async ({ body, org }) => {
    const { page_no, page_size, cursor, ...filter } = body;
    const entries = await listEntries(pool, {
      orgId: org.id,
      filter,
      below: cursor === undefined ? undefined : decodeCursor(cursor, positionSchema),
      // One more than asked for says whether another page follows.
      limit: page_size + 1,
      offset: cursor === undefined ? (page_no - 1) * page_size : 0,
    });
    const shown = entries.slice(0, page_size);
    const last = entries.length > page_size ? shown.at(-1) : undefined;
    return page({
      data: shown,
      ...(await countEntries(pool, org.id, filter)),
      nextCursor: last ? encodeCursor(last.number) : null,
    });
  }),

  fileRoute(endpoints.audit.export, async ({ body, org }) => ({
    fileName: `audit-${org.code}-${clock.now().toISOString().slice(0, 10)}.csv`,
    contentType: 'text/csv; charset=utf-8',
    content: exportEntries(pool, { orgId: org.id, filter: body }),
  })),
];
