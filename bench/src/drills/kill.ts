import { setTimeout as sleep } from 'node:timers/promises';
import type { Drill } from './drill.ts';
import { withInstallation } from './installation.ts';
import type { Process } from './process.ts';

/** Downtime of a process, and its running time before the next one is killed. */
const awayMs = 1500;
const backMs = 4000;

/** kill -9 of each process in turn, with a restart as by a supervisor. */
export const kill: Drill = (run) =>
  withInstallation(run, {
    during: async ({ processes, until }) => {
      let kills = 0;
      const killed = async (one: Process) => {
        await one.kill();
        kills += 1;
        await sleep(awayMs);
        await one.start();
        await sleep(backMs);
      };
      while (!until.aborted) for (const one of Object.values(processes)) await killed(one);
      run.note(`${kills} kills, each process away for ${awayMs / 1000} s and more.`);
    },
  });
