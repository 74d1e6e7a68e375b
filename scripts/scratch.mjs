// Keeps temporary files of tests in memory, if the system has a file system for that.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';

const prefix = 'simcube-tests-';
/** About three times the maximum of a whole run. */
const neededBytes = 6e9;

/**
 * Puts temporary files of this process and its children into a directory in memory, which is removed when the process ends, if
 * there is a file system that is large enough and allows execution. The database of each test file has about 1,400 files:
 * creating and removing them on a disk took a fifth of the tests' processor time.
 */
export const useScratchInMemory = ({ memory = '/dev/shm', needed = neededBytes } = {}) => {
  const directory = makeDirectory(memory, needed);
  if (directory) process.env.TMPDIR = directory;
};

const makeDirectory = (memory, needed) => {
  try {
    removeLeftovers(memory);
    const { bavail, bsize } = statfsSync(memory);
    const machineMemory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
    if (bavail * bsize < needed || machineMemory < 2 * needed) return undefined;
    const directory = mkdtempSync(join(memory, `${prefix}${process.pid}-`));
    process.once('exit', () => remove(directory));
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
    // Accessible like /tmp for the user that the database runs as if this process is root.
    chmodSync(directory, 0o711);
    if (allowsExecution(directory)) return directory;
  } catch {
    // There is no such file system, or it is not writable.
  }
  return undefined;
};

const remove = (directory) => {
  try {
    rmSync(directory, { recursive: true, force: true });
  } catch {
    // It belongs to another user, or an ending program still writes to it: the next run removes it.
  }
};

/** Removes directories left by killed processes, which occupy memory. */
const removeLeftovers = (memory) => {
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

const allowsExecution = (directory) => {
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
