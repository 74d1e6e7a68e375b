import { Command, InvalidArgumentError } from 'commander';
import { clock } from './clock.ts';
import { database } from './database.ts';
import { disk } from './disk.ts';
import { type Drill, type DrillOptions, passed, tableOf } from './drill.ts';
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
  database: { what: 'the database killed, refusing, out of connections, slow', drill: database },
  node: { what: 'a worker node of a Citus cluster killed, and back', drill: node },
  disk: { what: 'the disk of the database full (as root)', drill: disk },
  clock: { what: 'a clock that jumps', drill: clock },
  lease: { what: 'a worker frozen while another takes over', drill: lease },
  flood: { what: 'ten times the accounting packets', drill: flood },
  outbox: { what: 'no worker for as long as it takes', drill: outbox },
  upgrade: { what: 'from the version of --before to this one, process by process', drill: upgrade },
  long: { what: 'breaks nothing: memory and file handles that must not grow', drill: long },
  restore: { what: 'backup, and an installation from it in an empty directory', drill: restore },
  rewind: { what: 'back to a backup from half way, and on from there', drill: rewind },
  verify: {
    what: 'breaks nothing: computes counters, rollups, pools and bills of the installation of these settings again',
    drill: verify,
  },
};

const positive = (text: string): number => {
  const number = Number(text);
  if (!(number > 0)) throw new InvalidArgumentError('must be a number above 0');
  return number;
};

const program = new Command('drill')
  .description(
    'Breaks an installation of its own while it works, and counts what was lost and what was doubled',
  )
  .argument(
    '<drill...>',
    Object.entries(drills)
      .map(([name, { what }]) => `${name}: ${what}`)
      .join('; '),
  )
  .option('--minutes <n>', 'how long each goes on', positive, 1)
  .option('--rate <n>', 'accounting packets a second', positive, 200)
  .option('--before <directory>', 'a checkout of the former version, built, for `upgrade`')
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
      console.log(`\n${name}\n${tableOf(tallies)}`);
      for (const note of notes) console.log(`· ${note}`);
      if (!passed(tallies)) process.exitCode = 1;
    }
  });

await program.parseAsync();
