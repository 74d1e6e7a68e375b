import { limits } from '@simcube/contract';
import { startRadius } from '../modules/aaa/index.ts';
import { watchUnpublished } from '../modules/finance/index.ts';
import { startSmsGateway } from '../modules/sms/index.ts';
import { type DatabaseHealth, watchDatabase } from '../platform/db/index.ts';
import type { RoleName } from '../platform/env/index.ts';
import { createHttpServer, hasConsole, type Readiness } from '../platform/http/index.ts';
import { startWorker } from '../platform/jobs/index.ts';
import { noLiveStreams, startLiveHub } from '../platform/live/index.ts';
import type { MetricsPart } from '../platform/metrics/index.ts';
import { createOutbound } from '../platform/outbound/index.ts';
import { startRelay } from '../platform/outbox/index.ts';
import type { Context } from './context.ts';
import { mailOf } from './mail.ts';
import { mapsOf } from './maps.ts';
import { updateNetworks } from './networks.ts';
import { listenOnAvailablePort } from './ports.ts';
import { version } from './version.ts';
import { type Wiring, wire } from './wire.ts';

type Stop = () => Promise<void>;

/** Where this process can be reached, for each of its roles. */
export interface Reachable {
  url?: string;
  radius?: { authPort: number; acctPort: number };
}

export interface Roles {
  wiring: Wiring;
  health: DatabaseHealth;
  /** Starts the roles of SIMCUBE_ROLES. */
  start(): Promise<Reachable>;
  /** Stops them in reverse order, so that work ends before what it depends on. */
  stop: Stop;
}

const jobConcurrency = 4;

/** The parts of the metrics that a process with these roles shows. */
export const metricsOf = (roles: readonly RoleName[]): MetricsPart[] =>
  roles.flatMap((role) => partsOfRole[role]);

const partsOfRole: Record<RoleName, MetricsPart[]> = {
  web: ['http', 'live'],
  worker: ['outbox', 'jobs', 'notify', 'sms'],
  aaa: ['radius'],
};

export const prepareRoles = async (context: Context, readiness: Readiness): Promise<Roles> => {
  const { env, log, clock, metrics, vault, database, listener } = context;
  const { pool } = database;
  const health = watchDatabase({ url: database.url, log });
  const stops: Stop[] = [() => health.stop()];
  const startStreams = async () => {
    const hub = await startLiveHub({ pool, listener, log, metrics, replay: limits.liveReplay });
    stops.push(() => hub.stop());
    return hub;
  };
  const live = env.roles.includes('web') ? await startStreams() : noLiveStreams;
  const { mail, mailer, jobs: mailJobs, publicUrl, reachableAt } = mailOf(context);
  const { apiKeyBits, autoflowRules, archiveDir, outboundNetworks } = env;
  const wiring = wire({
    ...{ pool, clock, vault, live, mail, maps: mapsOf(env), publicUrl },
    ...{ apiKeyBits, autoflowRules, archiveDir, outboundNetworks },
  });
  await wiring.identity.listen(listener);

  const start = async (): Promise<Reachable> => {
    const reachable: Reachable = {};
    if (env.roles.includes('worker')) {
      // The job runs once a night; a new installation must not wait for it to name its networks.
      await updateNetworks(pool);
      const relay = await startRelay({ pool, listener, consumers: wiring.consumers, log, metrics });
      const worker = await startWorker({
        pool,
        handlers: [...wiring.jobs, ...mailJobs],
        concurrency: jobConcurrency,
        log,
        metrics,
      });
      const outbound = createOutbound({ allowedNetworks: outboundNetworks, keepAlive: true });
      const delivering = await wiring.notify.startDelivering({ listener, mailer, outbound, log, metrics });
      const smsGateway = await startSmsGateway({ pool, clock, log, metrics, vault, listener });
      const bills = watchUnpublished({ pool, clock, log, metrics });
      stops.push(relay.stop, worker.stop, delivering.stop, smsGateway.stop, bills.stop);
    }
    if (env.roles.includes('aaa')) reachable.radius = await startAaa(context, health, stops);
    if (env.roles.includes('web')) {
      reachable.url = await startWeb(context, { wiring, readiness }, stops);
      reachableAt(reachable.url);
    }
    return reachable;
  };
  const stop = async () => {
    for (const one of stops.splice(0).reverse()) await one();
  };
  return { wiring, health, start, stop };
};

const startAaa = async (
  context: Context,
  health: DatabaseHealth,
  stops: Stop[],
): Promise<{ authPort: number; acctPort: number }> => {
  const { env, clock, log, metrics, vault, database, listener } = context;
  const { pool, url } = database;
  const radius = await startRadius({ pool, url, clock, log, metrics, vault, listener, health });
  stops.push(() => radius.stop());
  const { host, authPort, acctPort } = env.radius;
  const rules = { strict: env.strictPorts, log };
  const authentication = await listenOnAvailablePort(
    { purpose: 'RADIUS authentication (UDP)', setting: 'SIMCUBE_RADIUS_AUTH_PORT', host, port: authPort },
    rules,
    (port) => radius.listenAuthentication(host, port),
  );
  const accounting = await listenOnAvailablePort(
    { purpose: 'RADIUS accounting (UDP)', setting: 'SIMCUBE_RADIUS_ACCT_PORT', host, port: acctPort },
    rules,
    (port) => radius.listenAccounting(host, port),
  );
  return { authPort: authentication.port, acctPort: accounting.port };
};

const startWeb = async (
  context: Context,
  { wiring, readiness }: { wiring: Wiring; readiness: Readiness },
  stops: Stop[],
): Promise<string> => {
  const { env, log, metrics, database } = context;
  if (!(await hasConsole(env.webDir)))
    log.warn(
      { directory: env.webDir },
      'there is no console in SIMCUBE_WEB_DIR: calls are answered, pages are not',
    );
  const callLog = env.apiLog ? wiring.developer.startCallLog({ log, metrics }) : undefined;
  if (callLog) stops.push(callLog.stop);
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
    readiness,
    ...(callLog && { callLog }),
  });
  stops.push(async () => {
    await app.close();
  });
  const { host, port } = env.http;
  return listenOnAvailablePort(
    { purpose: 'HTTP', setting: 'SIMCUBE_PORT', host, port },
    { strict: env.strictPorts, log },
    (candidate) => app.listen({ host, port: candidate }),
  );
};
