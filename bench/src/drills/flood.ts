import { setTimeout as sleep } from 'node:timers/promises';
import type { Drill } from './drill.ts';
import { withInstallation } from './installation.ts';

const factor = 10;
const calmMs = 10_000;

/** A gateway that sends ten times as much, between two calm periods. */
export const flood: Drill = (run) =>
  withInstallation(run, {
    during: async ({ load, until }) => {
      await sleep(calmMs);
      run.progress(`${run.options.rate * factor} packets a second`);
      load.changeRate(run.options.rate * factor);
      if (!until.aborted) await new Promise((resolve) => until.addEventListener('abort', resolve));
      const answered = load.answeredPerSecond();
      load.changeRate(run.options.rate);
      await sleep(calmMs);
      run.note(
        `${run.options.rate * factor} packets a second offered, ${Math.round(answered)} a second answered while they were.`,
      );
    },
  });
