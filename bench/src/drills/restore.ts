import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { makeDirectory, startCluster } from '../cluster.ts';
import { simcube } from '../product.ts';
import type { Drill } from './drill.ts';
import { withInstallation } from './installation.ts';
import { startProcess } from './process.ts';

/**
 * Everything is stopped, the data directory is copied, and the installation runs from the copy, with the sealing key, as described
 * in docs/operations.md (Backup). The copy is compared.
 */
export const restore: Drill = async (run) => {
  const cleanups: { stop(): Promise<void> }[] = [];
  try {
    return await withInstallation(run, {
      during: ({ until }) =>
        until.aborted
          ? Promise.resolve()
          : new Promise((resolve) => until.addEventListener('abort', () => resolve())),
      afterwards: async ({ cluster, fleet, processes }) => {
        for (const one of Object.values(processes)) await one.stop();
        await cluster.shutDown();
        const directory = await makeDirectory();
        // Preserves owners and modes: the database may run as another user.
        execFileSync('cp', ['-a', `${cluster.directory}/.`, directory]);
        const copy = await startCluster({ existing: directory });
        cleanups.push(copy);
        const restored = {
          ...fleet,
          databaseUrl: copy.url('drill'),
          dataDir: join(directory, 'product-restored'),
        };
        run.note(simcube(restored, ['secrets', 'check']).trim());
        for (const roles of Object.keys(processes)) cleanups.push(await startProcess(restored, roles));
        return restored;
      },
    });
  } finally {
    for (const one of cleanups.toReversed()) await one.stop();
  }
};
