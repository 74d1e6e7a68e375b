import { type ErrorCode, errors, inputIssuesOf } from '@simcube/contract';
import type { PhraseKey } from '@simcube/phrases/load';
import type { z } from 'zod';
import { type ApiFailure, messageOf } from '../../lib/api-client/index.ts';
import { translate } from '../../lib/language/index.ts';

/** What is wrong: at a field, or with the attempt as a whole. */
export type Problems<Field extends string> = Partial<Record<Field | 'form', string>>;

/** Errors that the forms before the sign-in say without asking the server: their messages come with the page. */
type OwnError = Extract<ErrorCode, 'CB-07-0002' | 'CB-07-0003' | 'CB-07-0004' | 'CB-07-0005'>;

/** The catalogue's message of such an error, in the person's language. */
export const wordsOf = (code: OwnError): string => {
  const key: PhraseKey = `errors.${errors[code].key}`;
  return translate(key);
};

/** What a schema refuses, by field, in the words that the server would use; the first issue of each counts. */
export const refusedBy = <S extends z.ZodObject>(
  schema: S,
  values: z.input<S>,
): Problems<keyof z.input<S> & string> => {
  const found: Record<string, string> = {};
  const issues = schema.safeParse(values).error?.issues.flatMap(inputIssuesOf) ?? [];
  for (const { path, key, values: named } of issues) {
    found[path] ??= translate(`errors.issues.${key}`, named);
  }
  return found as Problems<keyof z.input<S> & string>;
};

/** Where each refusal of the server belongs: codes and paths (`person.password`) that mean a field, else the form. */
export const problemsOf = <Field extends string>(
  failure: ApiFailure,
  { fields, codes }: { fields: readonly Field[]; codes: Partial<Record<ErrorCode, Field>> },
): Problems<Field> => {
  const ofCode = (codes as Record<string, Field | undefined>)[failure.code ?? ''];
  if (ofCode !== undefined) return { [ofCode]: failure.message } as Problems<Field>;
  const found = failure.issues.flatMap(({ path, message }) => {
    const field = fields.find((name) => name === path.split('.').at(-1));
    return field === undefined ? [] : [[field, message]];
  });
  if (found.length === 0) return { form: messageOf(failure) } as Problems<Field>;
  return Object.fromEntries(found) as Problems<Field>;
};
