import { setTimeout as sleep } from 'node:timers/promises';
import { startCitus } from '../citus.ts';
import { withClient } from '../cluster.ts';
import { killServer } from './database.ts';
import type { Drill } from './drill.ts';
import { withInstallation } from './installation.ts';

const nodeCount = 3;
const downMs = 8000;
const recoveryMs = 8000;
/** Transactions in doubt are resolved once a minute, from the coordinator's record of its commits. */
const resolveTimeoutMs = 180_000;

/**
 * On a cluster, kill -9 of a worker node and all its sessions, alternating between the nodes; it is restarted, and recovers from
 * its write-ahead log. A transaction that the coordinator committed while the node was down stays prepared there until the
 * extension resolves it.
 */
export const node: Drill = async (run) => {
  const cluster = await startCitus(nodeCount);
  const workers = cluster.nodes.slice(1).map((one) => ({ ...one, url: drillDatabase(one.url) }));
  let inDoubt = 0;
  return withInstallation(run, {
    cluster,
    during: async ({ until }) => {
      let kills = 0;
      do {
        for (const worker of workers) {
          await sleep(recoveryMs);
          killServer(worker.pid());
          kills += 1;
          run.progress(`a node killed: ${kills}`);
          await sleep(downMs);
          worker.start();
          inDoubt += await countPrepared(worker.url);
        }
      } while (!until.aborted);
      await sleep(recoveryMs);
      run.note(`${kills} times one of two nodes was killed, and away for ${downMs / 1000} s.`);
    },
    afterwards: async ({ fleet }) => {
      const from = Date.now();
      for (const worker of workers) {
        while ((await countPrepared(worker.url)) > 0) {
          if (Date.now() - from > resolveTimeoutMs) throw new Error('Transactions stay in doubt');
          await sleep(500);
        }
      }
      run.note(`${inDoubt} transactions were in doubt when a node came back; none was at the end.`);
      return fleet;
    },
  });
};

const drillDatabase = (url: string): string => new URL('/drill', url).href;

const countPrepared = (url: string): Promise<number> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      'select count(*)::int as count from pg_prepared_xacts where database = current_database()',
    );
    return rows[0]?.count ?? 0;
  });
