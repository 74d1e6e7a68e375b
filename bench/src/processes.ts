import { readdirSync, readFileSync } from 'node:fs';

/** Processor ticks per second in /proc (USER_HZ): 100 on every Linux that Node supports. */
const ticksPerSecond = 100;

interface ProcessTimes {
  parent: number;
  own: number;
  /** Time of children that have ended and were waited for. */
  ended: number;
}

/** The fields of /proc/PID/stat after the name, which may contain spaces and brackets. */
const timesOf = (pid: number): ProcessTimes | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = (index: number) => Number(fields[index]) / ticksPerSecond;
    return { parent: Number(fields[1]), own: ticks(11) + ticks(12), ended: ticks(13) + ticks(14) };
  } catch {
    return undefined;
  }
};

const allPids = (): number[] => {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
};

/** Processor seconds used by the process and all its descendants; 0 if there is no /proc. */
export const cpuSecondsOf = (root: number): number => {
  const all = new Map(allPids().map((pid) => [pid, timesOf(pid)] as const));
  const total = (pid: number): number => {
    const times = all.get(pid);
    if (!times) return 0;
    const children = [...all].filter(([, other]) => other?.parent === pid).map(([child]) => child);
    return children.reduce((sum, child) => sum + total(child), times.own + times.ended);
  };
  return total(root);
};

/** Children of the process; empty if there is no /proc. */
export const childrenOf = (parent: number): number[] =>
  allPids().filter((pid) => timesOf(pid)?.parent === parent);

/** Processor seconds of the process and of children that it has waited for, without those that are still running. */
export const cpuSecondsAlone = (pid: number): number => {
  const times = timesOf(pid);
  return times ? times.own + times.ended : 0;
};

/** A size in /proc/PID/status, in bytes; 0 if there is no /proc. */
const statusBytes = (pid: number, name: RegExp): number => {
  try {
    return Number(name.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
};

/** Resident bytes of one process. */
export const residentBytesOf = (pid: number): number => statusBytes(pid, /^VmRSS:\s+(\d+) kB$/m);

/** Peak resident bytes of one process. */
export const peakBytesOf = (pid: number): number => statusBytes(pid, /^VmHWM:\s+(\d+) kB$/m);

/** Memory of the process and its children, with shared pages counted proportionally. */
export const proportionalBytesOf = (root: number): number => {
  return [root, ...childrenOf(root)].reduce((sum, pid) => {
    try {
      const line = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
      return sum + Number(line?.[1] ?? 0) * 1024;
    } catch {
      return sum;
    }
  }, 0);
};
