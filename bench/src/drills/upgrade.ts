import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '../cluster.ts';
import { projectRoot } from '../product.ts';
import type { Drill } from './drill.ts';
import { type Installation, withInstallation } from './installation.ts';

/** Time between two steps, during which both versions work. */
const overlapMs = 6000;

/**
 * Upgrades from the previous version to this one, one process at a time: the first new process migrates the database while all
 * old ones keep working.
 */
export const upgrade: Drill = async (run) => {
  const { before } = run.options;
  if (before === undefined) throw new Error('--before names a checkout of the former version, built');
  return withInstallation(run, {
    project: before,
    during: async (installation) => {
      const { fleet, processes, startAnother, until } = installation;
      const knownMigrations = new Set(await migrations(fleet.databaseUrl));
      await sleep(overlapMs);
      const startedAt = Date.now();
      run.progress('a worker of this version beside the former one; it migrates');
      const other = await startAnother('worker', projectRoot);
      // It does not listen on a port: the migrated database shows that it is running.
      while (
        (await migrations(fleet.databaseUrl)).length === knownMigrations.size &&
        Date.now() < startedAt + 10 * overlapMs
      )
        await sleep(100);
      await sleep(overlapMs);
      for (const role of ['worker', 'aaa', 'web'] as const) {
        run.progress(`${role}: the former version stops, this one starts`);
        await processes[role].stop();
        await processes[role].start(projectRoot);
        await sleep(overlapMs);
      }
      const added = (await migrations(fleet.databaseUrl)).filter((name) => !knownMigrations.has(name));
      const seconds = Math.round((Date.now() - startedAt) / 1000);
      await other.stop();
      if (!until.aborted) await new Promise((resolve) => until.addEventListener('abort', resolve));
      run.note(
        `Two versions side by side for ${seconds} s; migrated meanwhile: ${added.join(', ') || 'nothing'}.`,
      );
      run.note(`Errors in the logs: ${errorsOf(installation)}.`);
    },
  });
};

const migrations = (url: string): Promise<string[]> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>('select name from schema_migrations order by name');
    return rows.map(({ name }) => name);
  });

/** Log lines of level error (50) or higher in the logs of all processes, by message and cause. */
const errorsOf = ({ processes }: Installation): string => {
  const counts = new Map<string, number>();
  for (const { dataDir } of Object.values(processes)) {
    for (const line of readFileSync(join(dataDir, 'server.log'), 'utf8').split('\n')) {
      if (!/"level":[56]0/.test(line)) continue;
      const { msg, err } = JSON.parse(line) as { msg: string; err?: { message: string } };
      const what = err === undefined ? msg : `${msg} (${err.message})`;
      counts.set(what, (counts.get(what) ?? 0) + 1);
    }
  }
  return [...counts].map(([what, count]) => `${count} × ${what}`).join(', ') || 'none';
};
