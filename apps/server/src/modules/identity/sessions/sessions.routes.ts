import { endpoints } from '@simcube/contract';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { typed } from '../../../platform/db/index.ts';
import { page, type Route, route } from '../../../platform/http/index.ts';
import { pageQueryOf, readPage } from '../../../platform/lists/index.ts';
import { normaliseAddress } from '../../org/index.ts';
import type { SessionService } from './sessions.service.ts';
import { sessionList } from './sessions.views.ts';

export const sessionRoutes = (deps: { pool: pg.Pool; clock: Clock; sessions: SessionService }): Route[] => {
  const db = typed(deps.pool);
  return [
    route(endpoints.identity.listSessions, async ({ query, principal, ...call }) => {
      const { userId, sessionId: currentId } = principal;
      const address = normaliseAddress(call.address);
      const scope = { userId, currentId, address, ...(await deps.sessions.durations(userId)) };
      return page(await readPage(db, sessionList, { scope, now: deps.clock.now(), ...pageQueryOf(query) }));
    }),
    route(endpoints.identity.revokeSession, async ({ params, principal, actor }) => {
      const { sessionId } = params;
      if (sessionId === 'others') await deps.sessions.revokeOthers(principal, actor);
      else await deps.sessions.revoke(principal, { sessionId, actor });
      return null;
    }),
  ];
};
