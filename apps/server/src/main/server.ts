import { setTimeout as sleep } from 'node:timers/promises';
import { type Env, readEnv, UnusableSettings } from '../platform/env/index.ts';
import { createManagementServer } from '../platform/http/index.ts';
import { createLog, type Log, redirectOutput } from '../platform/log/index.ts';
import { createMetrics } from '../platform/metrics/index.ts';
import { watchInstallationKey } from '../platform/secrets/index.ts';
import { startTracing } from '../platform/tracing/index.ts';
import { announce, notifyParent } from './announce.ts';
import { openContext } from './context.ts';
import { prepareDemo } from './demo/index.ts';
import { refusePublishedPasswords } from './demo/published-passwords.ts';
import { listenOnAvailablePort } from './ports.ts';
import { createReadiness, type ProcessReadiness } from './readiness.ts';
import { metricsOf, prepareRoles } from './roles.ts';
import { notifySystemd } from './systemd.ts';
import { version } from './version.ts';

/** Exit code for settings that a restart can't fix (sysexits.h, EX_CONFIG). */
const invalidSettingsExitCode = 78;
/** Time limit, so that neither a start nor a stop that hangs keeps the process from ending. */
const startEndsWithinMs = 10_000;
const stopEndsWithinMs = 30_000;

interface Start {
  env: Env;
  log: Log;
  readiness: ProcessReadiness;
  /** Aborted when the process is asked to stop, or can't continue: then the reason is UnusableSettings. */
  signal: AbortSignal;
  end: (error: UnusableSettings) => void;
  /** Functions that undo each step, in the order of the steps. */
  undo: (() => Promise<void>)[];
}

const main = async (): Promise<void> => {
  const { env, log } = readSettings();
  redirectOutput(log);
  const readiness = createReadiness();
  for (const warning of env.warnings) log.warn(warning);
  const { signal, end } = endOnSignals(log, readiness);
  const undo: Start['undo'] = [];
  const starting = start({ env, log, readiness, signal, end, undo });
  const failure = await Promise.race([
    starting.then(
      () => undefined,
      (error: unknown) => error,
    ),
    aborted(signal).then(() => sleep(startEndsWithinMs)),
  ]);
  if (failure !== undefined && !signal.aborted) logFailure(log, failure);
  else await aborted(signal);
  const isClean = await Promise.race([runShutdown(undo, log), sleep(stopEndsWithinMs)]);
  if (isClean === undefined) log.error('shutdown timed out; exiting with unfinished work');
  if (!signal.aborted) process.exit(exitCodeOf(failure));
  process.exit(signal.reason instanceof UnusableSettings ? invalidSettingsExitCode : isClean ? 0 : 1);
};

const start = async ({ env, log, readiness, signal, end, undo }: Start): Promise<void> => {
  if (env.demoFault !== undefined) throw new UnusableSettings(env.demoFault);
  if (env.tracing) {
    const tracing = await startTracing({ ...env.tracing, version, roles: env.roles }, log);
    undo.push(tracing.stop);
  }
  const metrics = createMetrics(metricsOf(env.roles));
  const management = createManagementServer({ readiness, metrics, log });
  undo.push(management.close);
  const managementUrl = await listenOnAvailablePort(
    { purpose: 'management', setting: 'SIMCUBE_MANAGEMENT_PORT', ...env.management },
    { strict: env.strictPorts, log },
    (port) => management.listen(env.management.host, port),
  );
  const context = await openContext({ env, log, metrics, opener: 'server', signal });
  undo.push(context.close);
  const { database, listener, vault: ring } = context;
  await watchInstallationKey({ pool: database.pool, listener, source: env, ring, log, onLost: end });
  const roles = await prepareRoles(context, { readiness, undo });
  const demo = env.demo ? await prepareDemo(context, roles.wiring) : undefined;
  // Only there can people sign in; accounting goes on.
  if (!env.demo && env.roles.includes('web')) await refusePublishedPasswords(database.pool);
  signal.throwIfAborted();
  const reachable = { ...(await roles.start()), management: managementUrl };
  readiness.started(roles.health);
  log.info({ version, pid: process.pid, roles: env.roles, ...reachable }, 'ready');
  if (env.demo) announce(reachable, demo);
  notifyParent(reachable, demo);
  if (env.isSystemdWaiting) await notifySystemd(log);
};

/**
 * Undoes the steps in reverse order, the database last.
 * @returns whether all of it succeeded
 */
const runShutdown = async (undo: Start['undo'], log: Log): Promise<boolean> => {
  let isComplete = true;
  for (const step of undo.splice(0).reverse()) {
    await step().catch((error: Error) => {
      isComplete = false;
      log.error({ err: error }, 'shutdown failed');
    });
  }
  return isComplete;
};

/** An error that the operator can fix is shown as a sentence; any other is a bug, and logged with its stack. */
const logFailure = (log: Log, error: unknown): void => {
  if (error instanceof UnusableSettings) log.fatal(error.message);
  else log.fatal({ err: error }, 'the server could not start');
};

const exitCodeOf = (error: unknown): number =>
  error instanceof UnusableSettings ? invalidSettingsExitCode : 1;

const readSettings = (): { env: Env; log: Log } => {
  try {
    const env = readEnv();
    return { env, log: createLog(env.log) };
  } catch (error) {
    logFailure(createLog({ level: 'info', format: 'json' }), error);
    return process.exit(exitCodeOf(error));
  }
};

/** The first signal starts an orderly end, which a second one does not interrupt. */
const endOnSignals = (log: Log, readiness: ProcessReadiness): Pick<Start, 'signal' | 'end'> => {
  const stopController = new AbortController();
  const end = (reason: string | UnusableSettings) => {
    if (stopController.signal.aborted) return;
    if (typeof reason === 'string') log.info({ signal: reason }, 'stopping');
    else log.fatal(reason.message);
    readiness.stopping();
    stopController.abort(reason);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end(signal));
  // A killed parent closes its channel, and nothing else would stop this process.
  process.on('disconnect', () => end('disconnect'));
  return { signal: stopController.signal, end };
};

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

await main();
