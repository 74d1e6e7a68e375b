import { InvalidArgumentError } from 'commander';
import type pg from 'pg';
import { z } from 'zod';
import type { Clock } from '../clock/index.ts';
import { issueSentences } from './sentences.ts';

/** Reads an argument or option by a schema; the error for an invalid value names the option, in words. */
export const argumentParser =
  <S extends z.ZodType>(schema: S) =>
  (text: string): z.output<S> => {
    const parsed = schema.safeParse(text, { reportInput: true });
    if (parsed.success) return parsed.data;
    throw new InvalidArgumentError(issueSentences(parsed.error).join(' '));
  };

/** A whole number in digits: `Number` also reads an empty text (an unset variable of a script) as 0, and `0x10` or `1e2`. */
export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .refine((text) => /^\d+$/.test(text), `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.number().min(min).max(max));

/** For lists and reports that a program may read. */
export const jsonOption = ['--json', 'machine-readable output', false] as const;

/** What every command needs; more is added where it is used. */
export interface CliContext {
  pool: pg.Pool;
  clock: Clock;
  close: () => Promise<void>;
}

/** Opens the resource that a command needs, and closes it however the command ends. */
export const using = async <C extends { close: () => Promise<void> }>(
  open: () => Promise<C>,
  work: (context: C) => Promise<void>,
): Promise<void> => {
  const context = await open();
  try {
    await work(context);
  } finally {
    await context.close();
  }
};

/** An id as a list shows it: digits only, although `Number` would also accept `1e3` or `0x10`. */
export const idArgument = (text: string): number => {
  const id = /^\d+$/.test(text) ? Number(text) : 0;
  if (!Number.isSafeInteger(id) || id < 1) throw new InvalidArgumentError('An id must be a whole number.');
  return id;
};

/** Only the options that were given, for a change that leaves everything else unchanged. */
export const definedOptions = <T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
