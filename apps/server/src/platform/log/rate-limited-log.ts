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

const intervalMs = 60_000;

/**
 * For what happens with each packet or request, so that a flood of them does not flood the log. Messages must
 * come from a fixed set.
 */
export const createRateLimitedLog = (log: Log, now: () => number): RateLimitedLog => {
  const lastLines = new Map<string, { at: number; leftOut: number }>();
  return (level, message, fields) => {
    const lastLine = lastLines.get(message);
    const at = now();
    if (lastLine !== undefined && at - lastLine.at < intervalMs) {
      lastLine.leftOut += 1;
      return;
    }
    lastLines.set(message, { at, leftOut: 0 });
    log[level]({ ...fields, ...(lastLine?.leftOut && { leftOut: lastLine.leftOut }) }, message);
  };
};
