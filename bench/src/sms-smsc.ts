import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { startSmsc } from '@simcube/network-sim';

/** Figures of the measured SMSC, times in milliseconds since 1970. */
export interface SubmitStats {
  submits: number;
  firstAt: number;
  lastAt: number;
}

/** An SMSC in a separate process, which accepts every message immediately and reports it as delivered. */
export interface BenchSmsc {
  port: number;
  pid: number;
  /** Figures since the last call. */
  takeStats(): Promise<SubmitStats>;
  /** Kills it, as in a crash. */
  kill(): Promise<void>;
}

export const smscAccount = { systemId: 'bench', password: 'secret' } as const;

/** @param file to which each destination number is written before the response to the submit */
export const startBenchSmsc = async ({ port = 0, file = '' } = {}): Promise<BenchSmsc> => {
  const child = fork(import.meta.filename, [String(port), file], { execArgv: process.execArgv });
  const [listening] = (await once(child, 'message')) as [number];
  return {
    port: listening,
    pid: child.pid ?? 0,
    takeStats: () => requestStats(child),
    kill: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
};

/** The numbers in such a file, in order. */
export const readSubmitted = (file: string): string[] =>
  readFileSync(file, 'utf8').split('\n').filter(Boolean);

const requestStats = async (child: ChildProcess): Promise<SubmitStats> => {
  const answer = once(child, 'message');
  child.send('seen');
  return ((await answer) as [SubmitStats])[0];
};

const serve = async (send: NonNullable<typeof process.send>): Promise<void> => {
  const [port = '0', file = ''] = process.argv.slice(2);
  const noSubmits: SubmitStats = { submits: 0, firstAt: 0, lastAt: 0 };
  let stats = noSubmits;
  const smsc = await startSmsc({
    host: '127.0.0.1',
    port: Number(port),
    ...smscAccount,
    handle: (to) => {
      const now = Date.now();
      stats = { submits: stats.submits + 1, firstAt: stats.firstAt || now, lastAt: now };
      if (file) appendFileSync(file, `${to}\n`);
      return { verdict: 'DELIVRD', error: '000', afterMs: 0, reply: undefined };
    },
  });
  process.on('message', () => {
    send(stats);
    stats = noSubmits;
  });
  process.once('disconnect', () => process.exit());
  send(smsc.port);
};

if (process.argv[1] === import.meta.filename && process.send) await serve(process.send.bind(process));
