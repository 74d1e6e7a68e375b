import { setTimeout as sleep } from 'node:timers/promises';
import type { Drill } from './drill.ts';
import { withInstallation } from './installation.ts';
import type { Process } from './process.ts';

/** Downtime of a process, and its running time before the next one is killed. */
const downMs = 1500;
const recoveryMs = 4000;

/** kill -9 of each process in turn, with a restart as by a supervisor. */
export const kill: Drill = (run) =>
  withInstallation(run, {
    during: async ({ processes, until }) => {
      let kills = 0;
      const killAndRestart = async (product: Process) => {
        await product.kill();
        kills += 1;
        await sleep(downMs);
        await product.start();
        await sleep(recoveryMs);
      };
      while (!until.aborted) for (const product of Object.values(processes)) await killAndRestart(product);
      run.note(`${kills} kills, each process away for ${downMs / 1000} s and more.`);
    },
  });
