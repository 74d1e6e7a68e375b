import { readEnv } from '../platform/env/index.ts';
import { createLog, type Log } from '../platform/log/index.ts';
import { openContext } from './context.ts';
import { startRoles } from './roles.ts';

/** Exit code for settings that no restart can mend (sysexits.h, EX_CONFIG). */
const badSettings = 78;

const main = async (): Promise<void> => {
  const env = readSettings();
  const log = createLog(env.log);
  const context = await openContext(env, log);
  const running = await startRoles(context);
  endOnSignals(log, async () => {
    await running.stop();
    await context.close();
  });
};

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
