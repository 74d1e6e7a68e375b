import { endpoints } from '@simcube/contract';
import type pg from 'pg';
import { z } from 'zod';
import type { Clock } from '../../../platform/clock/index.ts';
import { decodeCursor, encodeCursor, page, type Route, route } from '../../../platform/http/index.ts';
import type { SessionService } from './sessions.service.ts';
import { countSessions, listSessions } from './sessions.views.ts';

const positionSchema = z.tuple([z.number().int(), z.iso.datetime(), z.uuid()]);

export const sessionRoutes = (deps: { pool: pg.Pool; clock: Clock; sessions: SessionService }): Route[] => [
  route(endpoints.identity.listSessions, async ({ query, principal }) => {
    const { page_no, page_size, cursor } = query;
    const { userId, sessionId: currentId } = principal;
    const lengths = await deps.sessions.lengths(userId);
    const open = { userId, currentId, now: deps.clock.now(), ...lengths };
    const rows = await listSessions(deps.pool, {
      ...open,
      // One more than asked for says whether another page follows.
      limit: page_size + 1,
      offset: cursor === undefined ? (page_no - 1) * page_size : 0,
      after: cursor === undefined ? undefined : decodeCursor(cursor, positionSchema),
    });
    const shown = rows.slice(0, page_size);
    const last = rows.length > page_size ? shown.at(-1) : undefined;
    return page({
      data: shown.map(({ session }) => session),
      total: await countSessions(deps.pool, open),
      nextCursor: last ? encodeCursor(last.position) : null,
    });
  }),
  route(endpoints.identity.revokeSession, async ({ params, principal, actor }) => {
    const { sessionId } = params;
    if (sessionId === 'others') await deps.sessions.revokeOthers(principal, actor);
    else await deps.sessions.revoke(principal, { sessionId, actor });
    return null;
  }),
];
