import type pg from 'pg';
import type { Clock } from '../../platform/clock/index.ts';
import type { Env } from '../../platform/env/index.ts';
import type { Consumer } from '../../platform/outbox/index.ts';

/** `skipped`: what the check is about is not set up, or could not be asked. */
export type FindingState = 'ok' | 'warn' | 'fail' | 'skipped';

export interface Finding {
  state: FindingState;
  /** One sentence, without secrets. */
  said: string;
  /** What to do about it; of warnings and failures. */
  mend?: string;
}

/** What checks look at: nothing of it is changed. */
export interface Installation {
  env: Env;
  pool: pg.Pool;
  clock: Clock;
  consumers: readonly Consumer[];
  /** Octets of the file system that a directory is on. */
  readDisk: (directory: string) => Promise<{ free: number; total: number }>;
}

/** One thing that can be wrong with an installation. */
export interface Check {
  name: string;
  /** Without the database it is skipped. */
  needsDatabase: boolean;
  run: (installation: Installation) => Promise<Finding>;
  /** What it means that it could not be found out; that nothing is known, unless said. */
  unanswered?: (error: unknown, installation: Installation) => Finding | Promise<Finding>;
}

/** Of an error, what may be shown: its code, else its message. */
export const reasonOf = (error: unknown): string => {
  const { code, message } = error as { code?: string; message: string };
  return code ?? message;
};

export const ok = (said: string): Finding => ({ state: 'ok', said });
export const skipped = (said: string): Finding => ({ state: 'skipped', said });
export const warn = (said: string, mend: string): Finding => ({ state: 'warn', said, mend });
export const fail = (said: string, mend: string): Finding => ({ state: 'fail', said, mend });
