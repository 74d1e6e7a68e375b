// `npm run simcube -- …`: the operator's command line.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { build } from './build.mjs';
import { keepStandardOutput, root, signals } from './run.mjs';
import { commandFlags } from './setup.mjs';

keepStandardOutput();
await build();
const child = spawn(
  process.execPath,
  [...commandFlags, join(root, 'apps/server/dist/cli.js'), ...process.argv.slice(2)],
  { stdio: 'inherit' },
);
// A command that is interrupted still stops a database that it has started.
for (const signal of signals) process.on(signal, () => child.kill(signal));
child.once('close', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
