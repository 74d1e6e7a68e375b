import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { beginOutage } from '../../../apps/server/src/testing/outage.ts';
import { withClient } from '../cluster.ts';
import { childrenOf } from '../processes.ts';
import type { Drill } from './drill.ts';
import { type Installation, withInstallation } from './installation.ts';

const outageMs = 8000;
const recoveryMs = 5000;
/** The database is stopped for nine tenths of each period, so that everything takes ten times as long. */
const slow = { stoppedMs: 90, runningMs: 10 };

type Fault = (installation: Installation) => Promise<unknown>;

/** kill -9 of the server and of every session; it is restarted, and recovers from its write-ahead log. */
const killed: Fault = async ({ cluster }) => killServer(cluster.postmaster());

/** @param postmaster process id of a database server, which dies with all its sessions */
export const killServer = (postmaster: number): void =>
  signalAll([postmaster, ...childrenOf(postmaster)], 'SIGKILL');

const refusing: Fault = async ({ fleet }) => {
  const end = await beginOutage(fleet.databaseUrl, 'refusing');
  await sleep(outageMs);
  await end();
};

/** Other clients take every free connection; those of the product are terminated. */
const outOfConnections: Fault = async ({ cluster }) => {
  const held: pg.Client[] = [];
  const connect = async (): Promise<boolean> => {
    const client = new pg.Client({ connectionString: cluster.url('postgres') });
    client.on('error', () => undefined);
    return client.connect().then(
      () => held.push(client) > 0,
      () => false,
    );
  };
  await connect();
  await held[0]?.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'drill' and pid <> pg_backend_pid()`,
  );
  let refused = 0;
  for (const end = Date.now() + outageMs; Date.now() < end; ) {
    if (await connect()) continue;
    refused += 1;
    await sleep(5);
  }
  await Promise.all(held.map((client) => client.end()));
  if (refused === 0) throw new Error(`The database had more than ${held.length} connections left`);
};

const tenTimesSlower: Fault = async ({ cluster }) => {
  const all = () => [cluster.postmaster(), ...childrenOf(cluster.postmaster())];
  try {
    for (const end = Date.now() + outageMs; Date.now() < end; await sleep(slow.runningMs)) {
      const stopped = all();
      signalAll(stopped, 'SIGSTOP');
      await sleep(slow.stoppedMs);
      signalAll(stopped, 'SIGCONT');
    }
  } finally {
    signalAll(all(), 'SIGCONT');
  }
};

const signalAll = (pids: readonly number[], signal: NodeJS.Signals): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      // It has already ended.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
};

const faults = { killed, refusing, outOfConnections, tenTimesSlower };

/** The database is killed, refuses connections, has no free connections, and is slow, one after the other. */
export const database: Drill = (run) =>
  withInstallation(run, {
    during: async (installation) => {
      let rounds = 0;
      do {
        for (const [name, fault] of Object.entries(faults)) {
          run.progress(`the database: ${name}`);
          await fault(installation);
          await waitUntilAnswering(installation);
          await sleep(recoveryMs);
        }
        rounds += 1;
      } while (!installation.until.aborted);
      run.note(
        `Rounds: ${rounds}, each killed, refusing connections, out of connections and ten times slower, ${outageMs / 1000} s each.`,
      );
    },
  });

export const waitUntilAnswering = async ({ fleet }: Installation): Promise<void> => {
  const isAnswering = () =>
    withClient(fleet.databaseUrl, (client) => client.query('select 1')).then(
      () => true,
      () => false,
    );
  while (!(await isAnswering())) await sleep(200);
};
