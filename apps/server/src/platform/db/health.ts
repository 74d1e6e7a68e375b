import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { UnusableSettings } from '../env/index.ts';
import type { Log } from '../log/index.ts';
import { type DatabaseTrouble, refuseReadOnly, troubleOf } from './trouble.ts';

/** Whether the database can serve: checked repeatedly, on a separate connection that load does not delay. */
export interface DatabaseHealth {
  /** The result of the last check; undefined when all is well. */
  trouble(): DatabaseTrouble | undefined;
  /** Checks now. */
  check(): Promise<DatabaseTrouble | undefined>;
  stop(): Promise<void>;
}

export interface WatchOptions {
  url: string;
  log: Log;
  /** Pause between two checks. */
  everyMs?: number;
}

/** A database that takes longer than this for so small a query can't serve. */
const responseTimeoutMs = 3_000;
/** After this many checks a new session is opened: it may be rejected or read-only while an old one still works. */
const checksPerSession = 10;

const openSession = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'simcube health',
    connectionTimeoutMillis: responseTimeoutMs,
    query_timeout: responseTimeoutMs,
  });
  // A connection lost between two checks is noticed by the next.
  client.on('error', () => undefined);
  await client.connect();
  return client;
};

/** Not awaited: a server that does not respond does not confirm the end of a connection either. */
const discard = (client: pg.Client | undefined): void => {
  client?.end().catch(() => undefined);
};

export const watchDatabase = ({ url, log, everyMs = 1000 }: WatchOptions): DatabaseHealth => {
  const stopping = new AbortController();
  let client: pg.Client | undefined;
  let checks = 0;
  let trouble: DatabaseTrouble | undefined;
  let checking: Promise<DatabaseTrouble | undefined> | undefined;

  const resetSession = () => {
    discard(client);
    client = undefined;
    checks = 0;
  };

  const probe = async () => {
    client ??= await openSession(url);
    checks += 1;
    await refuseReadOnly(client);
  };

  const checkOnce = async (): Promise<DatabaseTrouble | undefined> => {
    if (checks >= checksPerSession) resetSession();
    const isNew = client === undefined;
    // The end of an old session does not show whether a new one would succeed.
    const error = await failureOf(probe).then((failure) => {
      if (failure === undefined) return undefined;
      resetSession();
      return isNew ? failure : failureOf(probe);
    });
    if (error !== undefined) resetSession();
    // If so small a query fails for any other reason, the database can't be used either.
    setTrouble(error === undefined ? undefined : (troubleOf(error) ?? 'away'), error);
    return trouble;
  };

  const setTrouble = (found: DatabaseTrouble | undefined, error: unknown) => {
    if (found === trouble) return;
    trouble = found;
    if (found) log.warn({ trouble: found, reason: reasonOf(error) }, 'the database is unavailable');
    else log.info('the database is available again');
  };

  const check = async () => {
    if (stopping.signal.aborted) return trouble;
    checking ??= checkOnce().finally(() => {
      checking = undefined;
    });
    return checking;
  };

  const polling = (async () => {
    while (!stopping.signal.aborted) {
      await check();
      await sleep(everyMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  })();

  return {
    trouble: () => trouble,
    check,
    stop: async () => {
      stopping.abort();
      await polling;
      resetSession();
    },
  };
};

/** SQLSTATE classes 28 (invalid authorisation) and 3D (no such database). */
const isRefusal = (error: unknown): boolean => /^(28|3D)/.test(String((error as { code?: unknown }).code));

const firstPauseMs = 250;
const maxPauseMs = 5_000;

/**
 * Waits, with growing pauses, until the database can be read and written.
 * @throws UnusableSettings when the user or the database does not exist; AbortError when aborted; immediately,
 * in words, when there is no signal that could end the wait
 */
export const waitForDatabase = async (
  url: string,
  { log, signal }: { log: Log; signal: AbortSignal | undefined },
): Promise<void> => {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    const error = await tryDatabase(url);
    if (error === undefined) return;
    const reason = reasonOf(error);
    if (isRefusal(error))
      throw new UnusableSettings(`The database of DATABASE_URL refuses the connection: ${reason}`);
    if (!signal) throw new Error(`The database cannot be used: ${reason}`);
    log.warn({ reason, retryInMs: pauseMs }, 'the database cannot be used yet; retrying');
    await sleep(pauseMs, undefined, { signal });
  }
};

/** @returns the error that keeps it from being used */
const tryDatabase = async (url: string): Promise<unknown> => {
  let client: pg.Client | undefined;
  const failure = await failureOf(async () => {
    client = await openSession(url);
    await refuseReadOnly(client);
  });
  discard(client);
  return failure;
};

const failureOf = (work: () => Promise<void>): Promise<unknown> =>
  work().then(
    () => undefined,
    (error: unknown) => error,
  );

/**
 * In words, without a stack. For a host name with several addresses the error is a group, one for each, without
 * a message.
 */
const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
};
