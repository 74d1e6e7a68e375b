// Where tests keep their temporary files: in memory, where the system has a file system for that.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';

const prefix = 'simcube-tests-';
/** About three times what a whole run holds at most. */
const neededBytes = 6e9;

/**
 * Temporary files of this process, and of all that it starts, go to a directory in memory that goes with it, where there is
 * one that is large enough and may hold programs. The database of each test file is some 1,400 files: made and removed on a
 * disk, they took a fifth of all processor time of the tests.
 */
export const useScratchInMemory = ({ memory = '/dev/shm', needed = neededBytes } = {}) => {
  const directory = makeDirectory(memory, needed);
  if (directory) process.env.TMPDIR = directory;
};

const makeDirectory = (memory, needed) => {
  try {
    removeLeft(memory);
    const { bavail, bsize } = statfsSync(memory);
    const ofMachine = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
    if (bavail * bsize < needed || ofMachine < 2 * needed) return undefined;
    const directory = mkdtempSync(join(memory, `${prefix}${process.pid}-`));
    process.once('exit', () => remove(directory));
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
    // As open as /tmp is to the user that the database runs as when this process is root.
    chmodSync(directory, 0o711);
    if (mayRunPrograms(directory)) return directory;
  } catch {
    // There is no such file system, or no right to write to it.
  }
  return undefined;
};

const remove = (directory) => {
  try {
    rmSync(directory, { recursive: true, force: true });
  } catch {
    // Of another user, or a program that just ends still writes to it: the next run removes it.
  }
};

/** What processes that were killed have left: memory that nobody uses. */
const removeLeft = (memory) => {
  for (const name of readdirSync(memory)) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : undefined;
    if (pid && !isAlive(pid)) remove(join(memory, name));
  }
};

const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

const mayRunPrograms = (directory) => {
  const program = join(directory, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  try {
    execFileSync(program);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(program);
  }
};
