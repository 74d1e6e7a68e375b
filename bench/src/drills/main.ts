import { Command, InvalidArgumentError } from 'commander';
import { clock } from './clock.ts';
import { database } from './database.ts';
import { disk } from './disk.ts';
import { type Drill, type DrillOptions, formatTable, passed } from './drill.ts';
import { flood } from './flood.ts';
import { kill } from './kill.ts';
import { lease } from './lease.ts';
import { long } from './long.ts';
import { node } from './node.ts';
import { outbox } from './outbox.ts';
import { restore } from './restore.ts';
import { rewind } from './rewind.ts';
import { upgrade } from './upgrade.ts';
import { verify } from './verify.ts';

const drills: Record<string, { what: string; drill: Drill }> = {
  kill: { what: 'kill -9 of each process of the product in turn', drill: kill },
  database: { what: 'the database is killed, refuses connections, has none left, is slow', drill: database },
  node: { what: 'a worker node of a Citus cluster is killed and returns', drill: node },
  disk: { what: 'the disk of the database is full (requires root)', drill: disk },
  clock: { what: 'a clock that jumps', drill: clock },
  lease: { what: 'a worker is frozen while another takes over', drill: lease },
  flood: { what: 'ten times the accounting packets', drill: flood },
  outbox: { what: 'no worker runs', drill: outbox },
  upgrade: { what: 'upgrade from the version of --before to this one, process by process', drill: upgrade },
  long: { what: 'no fault: memory and file handles must not grow', drill: long },
  restore: { what: 'backup, and a restore into an empty directory', drill: restore },
  rewind: { what: 'return to a backup from the middle of the run, and continue from there', drill: rewind },
  verify: {
    what: 'no fault: recomputes counters, rollups, pools and bills of the installation with these settings',
    drill: verify,
  },
};

const positive = (text: string): number => {
  const number = Number(text);
  if (!(number > 0)) throw new InvalidArgumentError('must be a number greater than 0');
  return number;
};

const program = new Command('drill')
  .description('Break a separate installation while it runs, and count what was lost and what was duplicated')
  .argument(
    '<drill...>',
    Object.entries(drills)
      .map(([name, { what }]) => `${name}: ${what}`)
      .join('; '),
  )
  .option('--minutes <n>', 'duration of each drill', positive, 1)
  .option('--rate <n>', 'accounting packets per second', positive, 200)
  .option('--before <directory>', 'a built checkout of the previous version, for `upgrade`')
  .action(async (names: string[], options: DrillOptions) => {
    const unknown = names.filter((name) => !(name in drills));
    if (unknown.length > 0) program.error(`There is no drill ${unknown.join(', ')}`);
    for (const name of names) {
      const notes: string[] = [];
      const tallies = await drills[name]?.drill({
        options,
        progress: (text) => console.error(`  … ${text}`),
        note: (text) => notes.push(text),
      });
      if (!tallies) continue;
      console.log(`\n${name}\n${formatTable(tallies)}`);
      for (const note of notes) console.log(`· ${note}`);
      if (!passed(tallies)) process.exitCode = 1;
    }
  });

await program.parseAsync();
