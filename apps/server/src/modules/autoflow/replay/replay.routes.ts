import { endpoints } from '@simcube/contract';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Db } from '../../../platform/db/index.ts';
import { page, type Route, route, withAsOf } from '../../../platform/http/index.ts';
import { pageQueryOf, readPage } from '../../../platform/lists/index.ts';
import { ordererOf } from '../../sim/index.ts';
import { createReplays } from './replay.service.ts';
import { replayFiringList } from './replay.views.ts';

const { autoflow: calls } = endpoints;

export const replayRoutes = (options: { pool: pg.Pool; db: Db; clock: Clock }): Route[] => {
  const { db, clock } = options;
  const replays = createReplays(options);
  return [
    route(calls.replay, ({ body, ...call }) => replays.start(ordererOf(call), body)),
    route(calls.readReplay, async ({ org, params }) =>
      withAsOf(await replays.get(org, Number(params.replayId)), clock.now()),
    ),
    route(calls.listReplayFirings, async ({ org, params, query }) => {
      const { id } = await replays.get(org, Number(params.replayId));
      const now = clock.now();
      const scope = { replayId: Number(id), orgId: org.id };
      return page({
        ...(await readPage(db, replayFiringList, { scope, now, ...pageQueryOf(query) })),
        asOf: now,
      });
    }),
    route(calls.cancelReplay, ({ params, ...call }) =>
      replays.cancel(ordererOf(call), Number(params.replayId)),
    ),
  ];
};
