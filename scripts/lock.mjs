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
 * Runs `work` while no other process runs work under the same directory of locks.
 *
 * Each holder has a numbered entry, and the highest number counts. If that entry is released, or its process has ended, a
 * waiting process creates the next one: creation is exclusive, and no number is reused while a higher one exists. A lock left
 * by a killed process therefore need not be removed, and two processes that find it at the same time can't both take it.
 */
export const withLock = async (directory, work) => {
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
    const last = highestNumber(directory);
    if (isHeld(join(directory, String(last)))) {
      if (!waits) say('Another process is setting up this directory; waiting for it …');
      waits = true;
      await sleep(pollMs);
      continue;
    }
    const entry = join(directory, String(last + 1));
    if (!createExclusively(directory, entry)) continue;
    // The listing may have been outdated: a number that was released since then could be created again.
    if (highestNumber(directory) !== last + 1) {
      remove(entry);
      continue;
    }
    for (const number of lockNumbers(directory)) if (number <= last) remove(join(directory, String(number)));
    return () => writeFileSync(join(entry, 'holder'), '');
  }
};

const lockNumbers = (directory) =>
  readdirSync(directory)
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

const highestNumber = (directory) => Math.max(0, ...lockNumbers(directory));

/** Retries, because another process may create its entry while the directory is being removed. */
const remove = (path) => rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 10 });

/** Creates a directory with its content atomically: it can't be renamed over one that is not empty. */
const createExclusively = (directory, path) => {
  const prepared = mkdtempSync(join(directory, 'by-'));
  writeFileSync(join(prepared, 'holder'), processIdentity(process.pid));
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
  return holder !== '' && processIdentity(Number.parseInt(holder, 10)) === holder;
};

/** Distinguishes a running process from a later one with the same id; undefined if it has ended (or is a zombie). */
const processIdentity = (pid) => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code === 'ESRCH') return undefined;
  }
  if (read('/proc/self/stat') === '') return String(pid);
  const stat = read(`/proc/${pid}/stat`);
  // The process name may contain anything, including brackets. proc(5): state is the third field, start time the 22nd.
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
