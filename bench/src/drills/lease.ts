import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '../cluster.ts';
import type { Drill } from './drill.ts';
import { withInstallation } from './installation.ts';

const frozenMs = 12_000;
const thawedMs = 6000;

/**
 * A worker is frozen while it works, and its connections are terminated, as the database does with a machine that no longer
 * responds: another worker takes over its locks and jobs. Then the worker continues in the middle of its work.
 */
export const lease: Drill = (run) =>
  withInstallation(run, {
    during: async ({ fleet, processes, startAnother, until }) => {
      const workers = [processes.worker, await startAnother('worker')];
      let freezes = 0;
      let closedConnections = 0;
      do {
        const [worker] = workers;
        if (!worker) return;
        worker.freeze();
        closedConnections += await endConnections(fleet.databaseUrl, portsOf(worker.pid()));
        freezes += 1;
        run.progress(`worker frozen: ${freezes}`);
        await sleep(frozenMs);
        worker.thaw();
        await sleep(thawedMs);
        workers.reverse();
      } while (!until.aborted);
      run.note(
        `${freezes} times one of two workers was frozen for ${frozenMs / 1000} s, ${closedConnections} connections of it were ended meanwhile.`,
      );
    },
  });

const endConnections = (url: string, ports: readonly number[]): Promise<number> =>
  withClient(url, async (client) => {
    const { rowCount } = await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where client_port = any($1)',
      [ports],
    );
    return rowCount ?? 0;
  });

/** Local ports of the process's TCP connections (proc(5), /proc/net/tcp). */
const portsOf = (pid: number): number[] => {
  const sockets = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => /^socket:\[(\d+)\]$/.exec(linkOf(pid, fd))?.[1] ?? []),
  );
  return readFileSync(`/proc/${pid}/net/tcp`, 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => sockets.has(fields[9] ?? ''))
    .map((fields) => Number.parseInt(fields[1]?.split(':')[1] ?? '0', 16));
};

const linkOf = (pid: number, fd: string): string => {
  try {
    return readlinkSync(`/proc/${pid}/fd/${fd}`);
  } catch {
    return '';
  }
};
