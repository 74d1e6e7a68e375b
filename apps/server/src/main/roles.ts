import { limits } from '@simcube/contract';
import { startRadius } from '../modules/aaa/index.ts';
import { syncNetworks } from '../modules/usage/index.ts';
import { ping } from '../platform/db/index.ts';
import { createHttpServer } from '../platform/http/index.ts';
import { startWorker } from '../platform/jobs/index.ts';
import { startLiveHub } from '../platform/live/index.ts';
import { startRelay } from '../platform/outbox/index.ts';
import type { Context } from './context.ts';
import { mailOf } from './mail.ts';
import { listenNear } from './ports.ts';
import { version } from './version.ts';
import { type Wiring, wire } from './wire.ts';

type Stop = () => Promise<void>;

/** Where this process can be reached, as far as its roles are. */
export interface Reachable {
  url?: string;
  radius?: { authPort: number; acctPort: number };
}

export interface Roles {
  wiring: Wiring;
  /** Starts what SIMCUBE_ROLES names. */
  start(): Promise<Reachable>;
  /** Ends it in the opposite order, so that work runs out before its ground. */
  stop: Stop;
}

const jobsAtOnce = 4;

export const prepareRoles = async (context: Context): Promise<Roles> => {
  const { env, log, clock, metrics, vault, database, listener } = context;
  const { pool } = database;
  const stops: Stop[] = [];
  const live = await startLiveHub({ pool, listener, log, metrics, replay: limits.liveReplay });
  stops.push(() => live.stop());
  const { mail, jobs: mailJobs, reachableAt } = mailOf(context);
  const wiring = wire({ pool, clock, log, metrics, vault, live, mail });
  await wiring.identity.listen(listener);

  const start = async (): Promise<Reachable> => {
    const reachable: Reachable = {};
    if (env.roles.includes('worker')) {
      // Its job comes once a night; a new installation must not wait for it to name its networks.
      await syncNetworks(pool);
      const relay = await startRelay({ pool, listener, consumers: wiring.consumers, log, metrics });
      const worker = await startWorker({
        pool,
        handlers: [...wiring.jobs, ...mailJobs],
        concurrency: jobsAtOnce,
        log,
        metrics,
      });
      stops.push(relay.stop, worker.stop);
    }
    if (env.roles.includes('aaa')) reachable.radius = await startAaa(context, stops);
    if (env.roles.includes('web')) {
      reachable.url = await startWeb(context, wiring, stops);
      reachableAt(reachable.url);
    }
    return reachable;
  };
  const stop = async () => {
    for (const one of stops.splice(0).reverse()) await one();
  };
  return { wiring, start, stop };
};

const startAaa = async (context: Context, stops: Stop[]): Promise<{ authPort: number; acctPort: number }> => {
  const { env, clock, log, metrics, vault, database, listener } = context;
  const { pool, url } = database;
  const radius = await startRadius({ pool, url, clock, log, metrics, vault, listener });
  stops.push(() => radius.stop());
  const { host } = env.radius;
  const authentication = await listenNear(env.radius.authPort, env.strictPorts, (port) =>
    radius.listenAuthentication(host, port),
  );
  const accounting = await listenNear(env.radius.acctPort, env.strictPorts, (port) =>
    radius.listenAccounting(host, port),
  );
  return { authPort: authentication.port, acctPort: accounting.port };
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
    ready: () => ping(database.pool),
  });
  const url = await listenNear(env.http.port, env.strictPorts, (port) =>
    app.listen({ host: env.http.host, port }),
  );
  stops.push(async () => {
    await app.close();
  });
  return url;
};
