import { endpoints, limits } from '@simcube/contract';
import type pg from 'pg';
import { z } from 'zod';
import { decodeCursor, encodeCursor, page, type Route, route } from '../../platform/http/index.ts';
import { countMine, listMine } from './org.views.ts';

const positionSchema = z.tuple([
  z.number().int(),
  z.string().max(limits.organisationName.max * 2),
  z.number().int(),
]);

export const orgRoutes = ({ pool }: { pool: pg.Pool }): Route[] => [
  route(endpoints.org.listMine, async ({ query, principal }) => {
    const { page_no, page_size, cursor, search = '' } = query;
    const rows = await listMine(pool, {
      userId: principal.userId,
      search,
      // One more than asked for says whether another page follows.
      limit: page_size + 1,
      offset: cursor === undefined ? (page_no - 1) * page_size : 0,
      after: cursor === undefined ? undefined : decodeCursor(cursor, positionSchema),
    });
    const shown = rows.slice(0, page_size);
    const last = rows.length > page_size ? shown.at(-1) : undefined;
    return page({
      data: shown.map((row) => row.organisation),
      total: await countMine(pool, { userId: principal.userId, search }),
      nextCursor: last ? encodeCursor(last.position) : null,
    });
  }),
];
