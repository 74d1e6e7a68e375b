import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Drill } from './drill.ts';
import { withInstallation } from './installation.ts';

const holdMs = 6000;
/** Shorter than the idle limit of a session, but long enough to cross the boundary of an hour most of the time. */
const jumps = { forward: 50 * 60_000, back: -50 * 60_000 };

/** The clock of the product's machine jumps forward and back, then backward and back. The database's clock stays correct. */
export const clock: Drill = async (run) => {
  const file = join(tmpdir(), `simcube-drill-clock-${process.pid}`);
  const setClock = (shift: number) => writeFileSync(file, String(shift));
  setClock(0);
  try {
    return await withInstallation(run, {
      settings: {
        DRILL_CLOCK: file,
        NODE_OPTIONS: `--import=${new URL('./shifted-clock.mjs', import.meta.url).href}`,
      },
      during: async ({ until }) => {
        let jumpCount = 0;
        do {
          for (const [direction, shift] of Object.entries(jumps)) {
            run.progress(`the clock jumps ${direction}`);
            setClock(shift);
            await sleep(holdMs);
            setClock(0);
            await sleep(holdMs);
            jumpCount += 2;
          }
        } while (!until.aborted);
        run.note(
          `${jumpCount} jumps of ${jumps.forward / 60_000} minutes, ahead and behind, and back each time.`,
        );
      },
    });
  } finally {
    await rm(file, { force: true });
  }
};
