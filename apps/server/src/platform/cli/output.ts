import type { Writable } from 'node:stream';

/**
 * Handles output that can't be written: a command whose file is incomplete (a full disk) has failed; one whose
 * reader has read enough (`| head`) has not. Without a listener, `console` ignores both.
 */
export const watchOutput = (output: Writable, onLost: (code: string) => void): void => {
  output.on('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE') onLost(code);
  });
};

/** A text of others as part of a line: line breaks and escape sequences must not reach the terminal. */
export const oneLine = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ');

/** Prints a list: as JSON, or one row a line with its values separated by tabs. */
export const printRows = <R>(
  rows: readonly R[],
  { json, line }: { json: boolean; line: (row: R) => readonly (string | number)[] },
): void => {
  if (json) return void console.info(JSON.stringify(rows));
  for (const row of rows) console.info(line(row).join('\t'));
};
