import type { Writable } from 'node:stream';

/** Structured lines: one JSON object each, no secrets, no subscriber data. */
export type Log = (
  level: 'info' | 'warn',
  message: string,
  fields?: Readonly<Record<string, unknown>>,
) => void;

export const jsonLog =
  (to: Writable, now: () => number = Date.now): Log =>
  (level, message, fields = {}) => {
    to.write(`${JSON.stringify({ time: new Date(now()).toISOString(), level, msg: message, ...fields })}\n`);
  };
