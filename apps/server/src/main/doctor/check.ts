import type pg from 'pg';
import type { Clock } from '../../platform/clock/index.ts';
import type { Env } from '../../platform/env/index.ts';
import type { Consumer } from '../../platform/outbox/index.ts';

/** `skipped`: the subject of the check is not set up, or could not be queried. */
export type FindingState = 'ok' | 'warn' | 'fail' | 'skipped';

export interface Finding {
  state: FindingState;
  /** One sentence, without secrets. */
  said: string;
  /** How to fix it; for warnings and failures. */
  mend?: string;
}

/** What checks read; they change nothing. */
export interface Installation {
  env: Env;
  pool: pg.Pool;
  clock: Clock;
  consumers: readonly Consumer[];
  /** Free and total octets of the file system of a directory. */
  readDisk: (directory: string) => Promise<{ free: number; total: number }>;
}

/** The first of some settings that is invalid: what its default says of the installation may be false. */
export const invalidOf = ({ faults }: Env, settings: readonly string[]): string | undefined =>
  settings.find((setting) => faults.some(({ name }) => name === setting));

/** One possible problem of an installation. */
export interface Check {
  name: string;
  /** Skipped without the database. */
  needsDatabase: boolean;
  /** Skipped if one of these is invalid; with `needsDatabase`, also if DATABASE_URL is. */
  settings?: readonly string[];
  run: (installation: Installation) => Promise<Finding>;
  /** The finding if the check itself fails; `skipped` by default. */
  unanswered?: (error: unknown, installation: Installation) => Finding | Promise<Finding>;
}

/** The part of an error that may be shown: its code, else its message. */
export const reasonOf = (error: unknown): string => {
  const { code, message } = error as { code?: string; message: string };
  return code ?? message;
};

export const ok = (said: string): Finding => ({ state: 'ok', said });
export const skipped = (said: string): Finding => ({ state: 'skipped', said });
export const notChecked = (setting: string): Finding => skipped(`Not checked: ${setting} is invalid`);
export const warn = (said: string, mend: string): Finding => ({ state: 'warn', said, mend });
export const fail = (said: string, mend: string): Finding => ({ state: 'fail', said, mend });
