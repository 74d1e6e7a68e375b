import { endpoints, instantSchema, limits } from '@simcube/contract';
import type pg from 'pg';
import { z } from 'zod';
import type { Clock } from '../../platform/clock/index.ts';
import { decodeCursor, encodeCursor, page, type Route, route } from '../../platform/http/index.ts';
import { countMine, listMine } from './task.views.ts';

const positionSchema = z.tuple([instantSchema, z.int().nonnegative()]);
const dayMs = 86_400_000;

export const taskRoutes = ({ pool, clock }: { pool: pg.Pool; clock: Clock }): Route[] => [
  route(endpoints.task.listMine, async ({ query, principal, org }) => {
    const { page_no, page_size, cursor, status } = query;
    const now = clock.now();
    const since = new Date(now.getTime() - limits.taskListDays * dayMs);
    const mine = { userId: principal.userId, orgId: org.id, since, status };
    const rows = await listMine(pool, {
      ...mine,
      now,
      // One more than asked for says whether another page follows.
      limit: page_size + 1,
      offset: cursor === undefined ? (page_no - 1) * page_size : 0,
      after: cursor === undefined ? undefined : decodeCursor(cursor, positionSchema),
    });
    const shown = rows.slice(0, page_size);
    const last = rows.length > page_size ? shown.at(-1) : undefined;
    return page({
      data: shown.map(({ task }) => task),
      total: await countMine(pool, mine),
      nextCursor: last ? encodeCursor(last.position) : null,
    });
  }),
];
