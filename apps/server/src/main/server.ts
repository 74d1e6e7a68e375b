import { readEnv } from '../platform/env/index.ts';
import { createLog, type Log } from '../platform/log/index.ts';
import { openContext } from './context.ts';
import { type Demo, prepareDemo, simulatorFor } from './demo/index.ts';
import { prepareRoles, type Reachable } from './roles.ts';
import { version } from './version.ts';

/** Exit code for settings that no restart can mend (sysexits.h, EX_CONFIG). */
const badSettings = 78;

const main = async (): Promise<void> => {
  const env = readSettings();
  const log = createLog(env.log);
  const context = await openContext(env, log);
  const roles = await prepareRoles(context);
  const stop = async () => {
    await roles.stop();
    await context.close();
  };
  endOnSignals(log, stop);
  try {
    const demo = env.demo ? await prepareDemo(context, roles.wiring) : undefined;
    const reachable = await roles.start();
    log.info({ version, ...reachable }, 'ready');
    announce(reachable, demo);
  } catch (error) {
    // Without this the database would be left running behind a server that never came up.
    log.fatal({ err: error }, 'the server could not start');
    await stop();
    process.exit(1);
  }
};

/** Tells the person at the terminal where to go, and the program that started this one what to run beside it. */
const announce = (reachable: Reachable, demo: Demo | undefined): void => {
  const { url, radius } = reachable;
  if (url) console.info(`\n  SimCube ${version} is ready at ${url}`);
  if (radius)
    console.info(
      `  RADIUS: authentication on port ${radius.authPort}, accounting on port ${radius.acctPort} (UDP)`,
    );
  for (const { email, password } of demo?.signIn ?? []) console.info(`  Sign in: ${email} · ${password}`);
  console.info('');
  const simulator = demo && radius ? simulatorFor(demo, radius) : undefined;
  process.send?.({ kind: 'ready', simulator, settings: settingsOf(reachable, demo) });
};

/** The ports that were free, as settings: who starts this program again after a crash asks for the same. */
const settingsOf = ({ url, radius }: Reachable, demo: Demo | undefined): Record<string, string> => ({
  ...(url && { SIMCUBE_PORT: new URL(url).port }),
  ...(radius && {
    SIMCUBE_RADIUS_AUTH_PORT: String(radius.authPort),
    SIMCUBE_RADIUS_ACCT_PORT: String(radius.acctPort),
  }),
  ...(demo && { SIMCUBE_DEMO_COA_PORT: String(demo.coaPort) }),
});

const readSettings = () => {
  try {
    return readEnv();
  } catch (error) {
    console.error((error as Error).message);
    return process.exit(badSettings);
  }
};

/** The first signal ends the work in order, the database last; a second one does not interrupt that. */
const endOnSignals = (log: Log, stop: () => Promise<void>): void => {
  let stopping = false;
  const end = (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    stop().then(
      () => process.exit(0),
      (error: Error) => {
        log.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end(signal));
  // Of a parent that was killed: its channel closes, and nobody would ever stop this process.
  process.on('disconnect', () => end('disconnect'));
};

await main();
