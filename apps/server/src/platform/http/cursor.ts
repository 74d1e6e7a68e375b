import type { z } from 'zod';
import { findBrokenText } from './broken-text.ts';
import { fail } from './failure.ts';

/** Opaque text of a keyset position: the sort values of the last row that was sent. */
export const encodeCursor = (position: unknown): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url');

/** @throws Failure CB-00-0406 when the text is not a cursor of this list */
export const decodeCursor = <S extends z.ZodType>(text: string, schema: S): z.output<S> => {
  try {
    const position = schema.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
    if (findBrokenText(position) === undefined) return position;
  } catch {
    // What is no JSON is no cursor either.
  }
  return fail('CB-00-0406');
};
