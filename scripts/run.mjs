// Output and running of other programs for the scripts, needing only Node.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Settings as the programs read them (platform/env): a file, overridden by environment variables; empty values count as unset. */
const settings = () => {
  const { SIMCUBE_ENV_FILE: envFile } = process.env;
  if (envFile === '') return process.env;
  try {
    const text = readFileSync(resolve(root, envFile || 'simcube.env'), 'utf8').replace(/^\uFEFF/, '');
    return { ...parseEnv(text), ...process.env };
  } catch {
    // The file is optional; if it is named but missing, the programs report it.
    return process.env;
  }
};
const { SIMCUBE_LOG_FORMAT: format, SIMCUBE_DEMO: demo } = settings();

/** The programs' setting; `pretty` at a terminal by default. */
const logFormat = format || (process.stdout.isTTY ? 'pretty' : 'json');
/** In production, all output is one log with one JSON object per line. */
const isLog = demo === '0' && logFormat === 'json';

let isCommand = false;
/** From now on everything is printed on standard error: standard output is the result of a command. */
export const keepStandardOutput = () => {
  isCommand = true;
};

const levels = { info: 30, error: 50 };

/** Prints a line next to the output of the programs; in production, as a line of the log. */
export const say = (msg, level = 'info') => {
  if (isLog && !isCommand) console.log(JSON.stringify({ level: levels[level], time: Date.now(), msg }));
  else console.error(msg);
};

export const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** A separate process group, so that processes started by a program end with it. Not on Windows, which would open a window. */
const usesProcessGroup = process.platform !== 'win32';

/**
 * Runs a program to its end, with our output. Exits if the program fails; if this process is asked to stop, ends the program and
 * all processes that it has started.
 */
export const runOrExit = async (command, args, options = {}) => {
  const child = spawn(command, args, {
    cwd: root,
    stdio: isCommand ? ['inherit', 2, 2] : isLog ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    detached: usesProcessGroup,
    ...options,
  });
  let receivedSignal;
  const end = (signal) => {
    receivedSignal = signal;
    if (usesProcessGroup) process.kill(-child.pid, signal);
    else child.kill(signal);
  };
  for (const signal of signals) process.on(signal, end);
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream }).on('line', (line) => line.trim() && say(line));
  }
  const [status, signal] = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (...result) => resolve(result));
  });
  for (const name of signals) process.off(name, end);
  // Ends this process with the signal, as if it had not been caught.
  if (receivedSignal) process.kill(process.pid, receivedSignal);
  if (receivedSignal || status !== 0) {
    say(`${command} ${args.slice(0, 3).join(' ')} failed (${signal ?? status})`, 'error');
    process.exit(status || 1);
  }
};

/** Runs the npm that runs this script, or else the one on the path. */
export const runNpm = async (args, options) => {
  const npm = process.env.npm_execpath;
  if (npm?.endsWith('.js') || npm?.endsWith('.cjs'))
    await runOrExit(process.execPath, [npm, ...args], options);
  else await runOrExit('npm', args, options);
};
