import type { Log } from './log.ts';

/** Writes a line unless it wrote one of this message in the last minute; the next one says how many were left out. */
export type Seldom = (level: 'info' | 'warn', message: string, fields: Record<string, unknown>) => void;

const everyMs = 60_000;

/** For what happens with each packet or request: a flood of them is no flood of the log. Messages are of a closed set. */
export const seldom = (log: Log, now: () => number): Seldom => {
  const known = new Map<string, { at: number; leftOut: number }>();
  return (level, message, fields) => {
    const before = known.get(message);
    const at = now();
    if (before !== undefined && at - before.at < everyMs) {
      before.leftOut += 1;
      return;
    }
    known.set(message, { at, leftOut: 0 });
    log[level]({ ...fields, ...(before?.leftOut && { leftOut: before.leftOut }) }, message);
  };
};
