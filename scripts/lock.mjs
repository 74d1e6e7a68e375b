import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from './run.mjs';

const pollMs = 200;

/**
 * Does the work while no other process does anything under the same directory of locks.
 *
 * Each holder has a numbered entry, and the highest number counts. A process that finds it released, or its process gone, makes
 * the next one: making one is exclusive, and no number comes back while a higher one exists. So a lock that a killed
 * process left need not be removed, and two that find it at the same time can't both get it.
 */
export const exclusively = async (directory, work) => {
  mkdirSync(directory, { recursive: true });
  const release = await acquire(directory);
  try {
    return await work();
  } finally {
    release();
  }
};

const acquire = async (directory) => {
  let waits = false;
  while (true) {
    const last = highest(directory);
    if (isHeld(join(directory, String(last)))) {
      if (!waits) say('Another process is setting up this directory; waiting for it …');
      waits = true;
      await sleep(pollMs);
      continue;
    }
    const own = join(directory, String(last + 1));
    if (!makeExclusively(directory, own)) continue;
    // The listing may have been old: a number that was given up since could be made again.
    if (highest(directory) !== last + 1) {
      remove(own);
      continue;
    }
    for (const number of numbersIn(directory)) if (number <= last) remove(join(directory, String(number)));
    return () => writeFileSync(join(own, 'holder'), '');
  }
};

const numbersIn = (directory) =>
  readdirSync(directory)
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

const highest = (directory) => Math.max(0, ...numbersIn(directory));

/** Another process may put its entry there between the removal of what is in it and its own. */
const remove = (path) => rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 10 });

/** A directory is made with its content, and can't be renamed over one that has any. */
const makeExclusively = (directory, path) => {
  const prepared = mkdtempSync(join(directory, 'by-'));
  writeFileSync(join(prepared, 'holder'), lifeOf(process.pid));
  try {
    renameSync(prepared, path);
    return true;
  } catch (error) {
    remove(prepared);
    if (['EEXIST', 'ENOTEMPTY', 'EPERM'].includes(error.code)) return false;
    throw error;
  }
};

const isHeld = (path) => {
  const holder = read(join(path, 'holder'));
  return holder !== '' && lifeOf(Number.parseInt(holder, 10)) === holder;
};

/** What distinguishes a running process from a later one with the same number; nothing when it has ended (a zombie has). */
const lifeOf = (pid) => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code === 'ESRCH') return undefined;
  }
  if (read('/proc/self/stat') === '') return String(pid);
  const stat = read(`/proc/${pid}/stat`);
  // The name before it may hold anything, brackets too. proc(5): state is the third field, start time the 22nd.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return stat === '' || 'ZX'.includes(fields[0]) ? undefined : `${pid} ${fields[19]}`;
};

const read = (path) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};
