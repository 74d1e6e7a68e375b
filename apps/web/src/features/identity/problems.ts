import { type ErrorCode, errors, toInputIssues } from '@simcube/contract';
import type { PhraseKey } from '@simcube/phrases/load';
import type { z } from 'zod';
import { type ApiFailure, messageOf } from '../../lib/api-client/index.ts';
import { translate } from '../../lib/language/index.ts';

/** Errors: of a field, or of the whole attempt. */
export type Problems<Field extends string> = Partial<Record<Field | 'form', string>>;

/** Errors that the forms before the sign-in detect without asking the server: their messages are part of the page. */
type ClientCheckedCode = Extract<ErrorCode, 'CB-07-0002' | 'CB-07-0003' | 'CB-07-0004' | 'CB-07-0005'>;

/** The catalogue's message for such an error, in the person's language. */
export const messageOfCode = (code: ClientCheckedCode): string => {
  const key: PhraseKey = `errors.${errors[code].key}`;
  return translate(key);
};

/** What a schema rejects, by field, with the server's messages; the first issue of each field counts. */
export const validationProblems = <S extends z.ZodObject>(
  schema: S,
  values: z.input<S>,
): Problems<keyof z.input<S> & string> => {
  const found: Record<string, string> = {};
  const issues = schema.safeParse(values).error?.issues.flatMap(toInputIssues) ?? [];
  for (const { path, key, values: named } of issues) {
    found[path] ??= translate(`errors.issues.${key}`, named);
  }
  return found as Problems<keyof z.input<S> & string>;
};

/** Assigns the server's errors: those whose code or path (`person.password`) means a field, to the field; others to the form. */
export const problemsOf = <Field extends string>(
  failure: ApiFailure,
  { fields, codes }: { fields: readonly Field[]; codes: Partial<Record<ErrorCode, Field>> },
): Problems<Field> => {
  const codeField = (codes as Record<string, Field | undefined>)[failure.code ?? ''];
  if (codeField !== undefined) return { [codeField]: failure.message } as Problems<Field>;
  const found = failure.issues.flatMap(({ path, message }) => {
    const field = fields.find((name) => name === path.split('.').at(-1));
    return field === undefined ? [] : [[field, message]];
  });
  if (found.length === 0) return { form: messageOf(failure) } as Problems<Field>;
  return Object.fromEntries(found) as Problems<Field>;
};
