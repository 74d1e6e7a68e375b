import type { Log } from './log.ts';

/**
 * Writes a line unless one with this message was written in the last minute; the next line says how many were
 * left out.
 */
export type RateLimitedLog = (
  level: 'info' | 'warn',
  message: string,
  fields: Record<string, unknown>,
) => void;

const everyMs = 60_000;

/**
 * For what happens with each packet or request, so that a flood of them does not flood the log. Messages must
 * come from a fixed set.
 */
export const createRateLimitedLog = (log: Log, now: () => number): RateLimitedLog => {
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
