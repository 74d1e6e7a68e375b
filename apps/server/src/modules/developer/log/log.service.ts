import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { missingPartitionTime, sqlStateOf } from '../../../platform/db/index.ts';
import type { CallLog } from '../../../platform/http/index.ts';
import type { Log } from '../../../platform/log/index.ts';
import type { Metrics } from '../../../platform/metrics/index.ts';
import { insertCalls, prepareDays, type StoredCall } from './log.queries.ts';
import { toStoredCall } from './stored-call.ts';

export interface CallLogOptions {
  pool: pg.Pool;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}

export interface RunningCallLog extends CallLog {
  /** Waits until everything recorded so far is stored, or could not be. */
  flush(): Promise<void>;
  /** Writes what is waiting one last time; afterwards nothing is recorded. */
  stop(): Promise<void>;
}

const batchSize = 500;
const gatherMs = 200;
const retryMs = 2000;
/** Maximum memory for calls that wait to be written; calls beyond it are dropped and counted. */
const maxHeldBytes = 32 * 1024 * 1024;
/** Size of a call's row in addition to its texts. */
const rowBytes = 1500;

/**
 * The log of calls by keys: calls are held in memory, and many are written by one statement, sequentially, so
 * that no call waits for the log. While the database can't be written, they wait within the memory limit.
 */
export const startCallLog = ({ pool, clock, log, metrics }: CallLogOptions): RunningCallLog => {
  let waiting: StoredCall[] = [];
  let heldBytes = 0;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;

  const insert = async (calls: readonly StoredCall[]): Promise<void> => {
    try {
      await insertCalls(pool, calls);
    } catch (error) {
      if (!missingPartitionTime(error)) throw error;
      await prepareDays(pool, clock.now());
      await insertCalls(pool, calls);
    }
  };

  /** A call that the database can't store is dropped; the others must not wait for it. @returns how many were written */
  const write = async (calls: readonly StoredCall[]): Promise<number> => {
    try {
      await insert(calls);
      return calls.length;
    } catch (error) {
      if (!isDataError(error)) throw error;
      if (calls.length === 1) {
        log.error({ err: error, traceId: calls[0]?.traceId }, 'a call of an API key can’t be logged');
        metrics.apiLogCalls.inc({ outcome: 'dropped' });
        return 0;
      }
    }
    let written = 0;
    for (const call of calls) written += await write([call]);
    return written;
  };

  const writeWaiting = async (): Promise<void> => {
    while (waiting.length > 0) {
      const calls = waiting.slice(0, batchSize);
      let written = 0;
      try {
        written = await write(calls);
      } catch (error) {
        log.warn({ err: error, waiting: waiting.length }, 'calls of API keys could not be logged');
        return later(retryMs);
      }
      waiting = waiting.slice(calls.length);
      heldBytes -= calls.reduce((sum, call) => sum + sizeOf(call), 0);
      metrics.apiLogCalls.inc({ outcome: 'written' }, written);
    }
  };

  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing ??= writeWaiting().finally(() => {
      writing = undefined;
    });
    await writing;
  };

  const later = (ms: number): void => {
    if (!stopped) timer ??= setTimeout(() => void flush(), ms);
  };

  return {
    record(call) {
      const stored = toStoredCall(call, clock.now());
      const size = sizeOf(stored);
      if (stopped || heldBytes + size > maxHeldBytes) return metrics.apiLogCalls.inc({ outcome: 'dropped' });
      waiting.push(stored);
      heldBytes += size;
      if (!writing) later(gatherMs);
    },
    flush,
    async stop() {
      stopped = true;
      await flush();
      metrics.apiLogCalls.inc({ outcome: 'dropped' }, waiting.length);
      waiting = [];
    },
  };
};

/** SQLSTATE class 22: the database accepts statements, but not this value. */
const isDataError = (error: unknown): boolean => sqlStateOf(error)?.startsWith('22') ?? false;

const sizeOf = ({ body, response, path }: StoredCall): number =>
  rowBytes + 2 * ((body?.length ?? 0) + (response?.length ?? 0) + path.length);
