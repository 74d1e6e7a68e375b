import { endpoints } from '@simcube/contract';
import type pg from 'pg';
import type { Actor } from '../../platform/access/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import { typed } from '../../platform/db/index.ts';
import { page, type Route, route } from '../../platform/http/index.ts';
import { pageQueryOf, readPage } from '../../platform/lists/index.ts';
import { readCaller } from './keys/caller.views.ts';
import { createKeys, type KeyCaller } from './keys/keys.service.ts';
import { keyList } from './keys/keys.views.ts';
import { briefCallList, callList } from './log/log.views.ts';
import { readableCalls } from './log/readable.rules.ts';

export interface DeveloperRouteOptions {
  pool: pg.Pool;
  clock: Clock;
  bits: number;
}

const callerOf = (call: { org: { id: number }; principal: { userId: string }; actor: Actor }): KeyCaller => ({
  orgId: call.org.id,
  userId: call.principal.userId,
  actor: call.actor,
});

export const developerRoutes = (options: DeveloperRouteOptions): Route[] => {
  const { developer: calls } = endpoints;
  const { pool, clock } = options;
  const db = typed(pool);
  const keys = createKeys(options);
  return [
    route(calls.listKeys, async ({ query, org, principal: { userId } }) => {
      const scope = { orgId: org.id, userId };
      const now = clock.now();
      return page({ ...(await readPage(db, keyList, { scope, now, ...pageQueryOf(query) })), asOf: now });
    }),
    route(calls.readCaller, (call) => readCaller(db, call)),
    route(calls.createKey, (call) => keys.create(callerOf(call), call.body)),
    route(calls.removeKey, (call) => keys.remove(callerOf(call), call.params.id)),
    route(calls.listCalls, async ({ body: { content, ...filter }, org, principal: { userId, key } }) => {
      const scope = { orgId: org.id, userId, keyId: key?.rights ? key.id : null };
      const list = content ? callList : briefCallList;
      const now = clock.now();
      const found = await readPage(db, list, { scope, now, ...pageQueryOf(filter) });
      return page({ ...found, data: readableCalls(org.permissions, found.data), asOf: now });
    }),
  ];
};
