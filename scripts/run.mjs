// How the scripts say something and run other programs, with nothing but Node.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** As the programs read them (platform/env): a file, over which the process's own variables win; what is empty is not set. */
const settings = () => {
  const { SIMCUBE_ENV_FILE: named } = process.env;
  if (named === '') return process.env;
  try {
    const text = readFileSync(resolve(root, named || 'simcube.env'), 'utf8').replace(/^\uFEFF/, '');
    return { ...parseEnv(text), ...process.env };
  } catch {
    // There need not be one; of one that is named and missing the programs say so.
    return process.env;
  }
};
const { SIMCUBE_LOG_FORMAT: format, SIMCUBE_DEMO: demo } = settings();

/** The programs' own setting; at a terminal people read. */
const logFormat = format || (process.stdout.isTTY ? 'pretty' : 'json');
/** In production all that comes is one log, a JSON object a line. */
const isLog = demo === '0' && logFormat === 'json';

const levels = { info: 30, error: 50 };

/** Says a line: to people beside the output of the programs, in production as a line of the log. */
export const say = (msg, level = 'info') => {
  if (isLog) console.log(JSON.stringify({ level: levels[level], time: Date.now(), msg }));
  else console.error(msg);
};

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** A group of its own, so that what a program has started ends with it. Windows would open a window for it. */
const asGroup = process.platform !== 'win32';

/**
 * Runs a program to its end, with our output. Ends this process when the program fails, and the program, with whatever it
 * has started, when this process is asked to stop.
 */
export const runOrExit = async (command, args, options = {}) => {
  const child = spawn(command, args, {
    cwd: root,
    stdio: isLog ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    detached: asGroup,
    ...options,
  });
  let told;
  const end = (signal) => {
    told = signal;
    if (asGroup) process.kill(-child.pid, signal);
    else child.kill(signal);
  };
  for (const signal of signals) process.on(signal, end);
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream }).on('line', (line) => line.trim() && say(line));
  }
  const [status, signal] = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (...how) => resolve(how));
  });
  for (const one of signals) process.off(one, end);
  // As if it had never been caught.
  if (told) process.kill(process.pid, told);
  if (told || status !== 0) {
    say(`${command} ${args.slice(0, 3).join(' ')} failed (${signal ?? status})`, 'error');
    process.exit(status || 1);
  }
};
