import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * Whether a process runs. A zombie, which has ended but was never reaped (permanent in a container whose first
 * process reaps nothing), still accepts signals, so its state is checked too where the system shows it.
 */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return !isDefunct(pid);
};

/** Whether the process has ended and only its entry in the process table remains. */
export const isDefunct = (pid: number): boolean => /^[ZXx]$/.test(statOf(pid)[0] ?? '');

/**
 * When the process started, in ticks since the machine did: with its id this names one process. Undefined where
 * the system does not show it.
 */
export const startTimeOf = (pid: number): string | undefined => statOf(pid)[19];

/** proc_pid_stat(5), from the third field, the state, on: the name before it is in parentheses and may contain some. */
const statOf = (pid: number): string[] => {
  const stat = readProcFile(pid, 'stat') ?? '';
  return stat === '' ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
};

/** The command line of a process; undefined where the system does not show it. */
export const commandOf = (pid: number): string | undefined => readProcFile(pid, 'cmdline');

const readProcFile = (pid: number, name: 'stat' | 'cmdline'): string | undefined => {
  const directory = procDirectory(pid);
  return directory === undefined ? undefined : readIfExists(`${directory}/${name}`);
};

const readIfExists = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};

const readLinkIfExists = (path: string): string | undefined => {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
};

/**
 * The process's directory in /proc. In a PID namespace without a /proc of its own (`unshare --pid --fork`), the
 * numbers there are the outer ones, so the process is found by its number in our namespace, the last of its
 * `NSpid`.
 */
const procDirectory = (pid: number): string | undefined => {
  const selfPid = readLinkIfExists('/proc/self');
  if (selfPid === undefined) return undefined;
  if (selfPid === String(process.pid)) return `/proc/${pid}`;
  const namespace = readLinkIfExists('/proc/self/ns/pid');
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map((entry) => `/proc/${entry}`)
    .find((directory) => {
      const ids = /^NSpid:(.*)$/m.exec(readIfExists(`${directory}/status`) ?? '')?.[1];
      return (
        ids?.trim().split(/\s+/).at(-1) === String(pid) &&
        readLinkIfExists(`${directory}/ns/pid`) === namespace
      );
    });
};
