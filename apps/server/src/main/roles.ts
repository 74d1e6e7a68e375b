import { limits } from '@simcube/contract';
import { startRadius } from '../modules/aaa/index.ts';
import { watchUnpublished } from '../modules/finance/index.ts';
import { startSmsGateway } from '../modules/sms/index.ts';
import { type DatabaseHealth, watchDatabase } from '../platform/db/index.ts';
import type { RoleName } from '../platform/env/index.ts';
import { createHttpServer, hasConsole, type Readiness } from '../platform/http/index.ts';
import { type JobHandler, startWorker } from '../platform/jobs/index.ts';
import { noLiveStreams, startLiveHub } from '../platform/live/index.ts';
import type { DirectMailer } from '../platform/mail/index.ts';
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

/** `undo` gets what stops each part once it has started: in reverse order, work ends before what it depends on. */
export const prepareRoles = async (
  context: Context,
  { readiness, undo }: { readiness: Readiness; undo: Stop[] },
): Promise<Roles> => {
  const { env, log, clock, metrics, vault, database, listener } = context;
  const { pool } = database;
  const health = watchDatabase({ url: database.url, log });
  undo.push(() => health.stop());
  const startStreams = async () => {
    const hub = await startLiveHub({ pool, listener, log, metrics, replay: limits.liveReplay });
    undo.push(() => hub.stop());
    return hub;
  };
  const live = env.roles.includes('web') ? await startStreams() : noLiveStreams;
  const { mail, mailer, jobs: mailJobs, publicUrl, reachableAt } = mailOf(context);
  const { apiKeyBits, autoflowRules, archiveDir, outboundNetworks } = env;
  const wiring = wire({
    pool,
    clock,
    vault,
    live,
    mail,
    maps: mapsOf(env),
    publicUrl,
    apiKeyBits,
    autoflowRules,
    archiveDir,
    outboundNetworks,
  });
  await wiring.identity.listen(listener);

  const start = async (): Promise<Reachable> => {
    const reachable: Reachable = {};
    if (env.roles.includes('worker')) await startWork(context, { wiring, mailer, mailJobs }, undo);
    if (env.roles.includes('aaa')) reachable.radius = await startAaa(context, health, undo);
    if (env.roles.includes('web')) {
      reachable.url = await startWeb(context, { wiring, readiness }, undo);
      reachableAt(reachable.url);
    }
    return reachable;
  };
  return { wiring, health, start };
};

const startWork = async (
  context: Context,
  { wiring, mailer, mailJobs }: { wiring: Wiring; mailer: DirectMailer; mailJobs: readonly JobHandler[] },
  undo: Stop[],
): Promise<void> => {
  const { env, log, clock, metrics, vault, database, listener } = context;
  const { pool } = database;
  await updateNetworks(pool);
  const relay = await startRelay({ pool, listener, consumers: wiring.consumers, log, metrics });
  undo.push(relay.stop);
  const worker = await startWorker({
    pool,
    handlers: [...wiring.jobs, ...mailJobs],
    concurrency: jobConcurrency,
    log,
    metrics,
  });
  undo.push(worker.stop);
  const outbound = createOutbound({ allowedNetworks: env.outboundNetworks, keepAlive: true });
  const delivering = await wiring.notify.startDelivering({ listener, mailer, outbound, log, metrics });
  undo.push(delivering.stop);
  const smsGateway = await startSmsGateway({ pool, clock, log, metrics, vault, listener });
  undo.push(smsGateway.stop);
  const bills = watchUnpublished({ pool, clock, log, metrics });
  undo.push(bills.stop);
};

const startAaa = async (
  context: Context,
  health: DatabaseHealth,
  undo: Stop[],
): Promise<{ authPort: number; acctPort: number }> => {
  const { env, clock, log, metrics, vault, database, listener } = context;
  const { pool, url } = database;
  const radius = await startRadius({ pool, url, clock, log, metrics, vault, listener, health });
  undo.push(() => radius.stop());
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
  undo: Stop[],
): Promise<string> => {
  const { env, log, metrics, database } = context;
  if (!(await hasConsole(env.webDir)))
    log.warn(
      { directory: env.webDir },
      'there is no console in SIMCUBE_WEB_DIR: calls are answered, pages are not',
    );
  const callLog = env.apiLog ? wiring.developer.startCallLog({ log, metrics }) : undefined;
  if (callLog) undo.push(callLog.stop);
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
  undo.push(async () => {
    await app.close();
  });
  const { host, port } = env.http;
  return listenOnAvailablePort(
    { purpose: 'HTTP', setting: 'SIMCUBE_PORT', host, port },
    { strict: env.strictPorts, log },
    (candidate) => app.listen({ host, port: candidate }),
  );
};
