import { limits } from '@simcube/contract';
import { createHttpServer } from '../platform/http/index.ts';
import { startWorker } from '../platform/jobs/index.ts';
import { startLiveHub } from '../platform/live/index.ts';
import { startRelay } from '../platform/outbox/index.ts';
import type { Context } from './context.ts';
import { listenNear } from './ports.ts';
import { version } from './version.ts';
import { type Wiring, wire } from './wire.ts';

type Stop = () => Promise<void>;

/** Starts what SIMCUBE_ROLES names; `stop` ends it in the opposite order, so that work runs out before its ground. */
export const startRoles = async (
  context: Context,
): Promise<{ url: string | undefined; wiring: Wiring; stop: Stop }> => {
  const { env, log, clock, metrics, vault, database, listener } = context;
  const { pool } = database;
  const stops: Stop[] = [];
  const live = await startLiveHub({ pool, listener, log, metrics, replay: limits.liveReplay });
  stops.push(() => live.stop());
  const wiring = wire({ pool, clock, log, metrics, vault, live });
  await wiring.identity.listen(listener);

  if (env.roles.includes('worker')) {
    const relay = await startRelay({ pool, listener, consumers: wiring.consumers, log, metrics });
    const worker = await startWorker({ pool, handlers: wiring.jobs, concurrency: 4, log, metrics });
    stops.push(relay.stop, worker.stop);
  }
  const url = env.roles.includes('web') ? await startWeb(context, wiring, stops) : undefined;
  return {
    url,
    wiring,
    stop: async () => {
      for (const stop of stops.reverse()) await stop();
    },
  };
};

const startWeb = async (context: Context, wiring: Wiring, stops: Stop[]): Promise<string> => {
  const { env, log, metrics, database } = context;
  const app = await createHttpServer({
    sql: database.pool,
    routes: wiring.routes,
    access: wiring.access,
    log,
    metrics,
    version,
    webDir: env.webDir,
    requestsPerMinute: env.http.requestsPerMinute,
    trustProxy: env.http.trustProxy,
    ready: async () => {
      await database.pool.query('select 1');
    },
  });
  const url = await listenNear(env.http.port, env.strictPorts, (port) =>
    app.listen({ host: env.http.host, port }),
  );
  stops.push(async () => {
    await app.close();
  });
  return url;
};
