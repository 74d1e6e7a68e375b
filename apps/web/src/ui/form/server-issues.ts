import type { ApiFailure } from '../../lib/api-client/index.ts';
import type { FormValues } from './issue-context.ts';

interface FieldMessage {
  /** The form's field that shows it. */
  field: string;
  /** Path in the request: the field, or one of its values. */
  path: string;
  message: string;
}

/** Whether the issue concerns the field, or one of the values in its list (`emails.1`). */
export const isAtField = (path: string, field: string): boolean =>
  path === field || path.startsWith(`${field}.`);

/** The text in a list that a path refers to, as it was typed. */
export const itemAt = (
  values: FormValues,
  [field, index, ...deeper]: readonly PropertyKey[],
): string | undefined => {
  const list = field === undefined ? undefined : values[String(field)];
  if (!Array.isArray(list) || index === undefined || deeper.length > 0) return undefined;
  const item: unknown = list[Number(index)];
  return typeof item === 'string' ? item : undefined;
};

/** Splits the server's issues into those with a field in this form, by path or by error code, and the rest. */
export const issuesOfServer = (
  { issues, code, message }: Pick<ApiFailure, 'issues' | 'code' | 'message'>,
  { names, codes }: { names: readonly string[]; codes: Readonly<Record<string, string>> },
): { fields: FieldMessage[]; rest: Omit<FieldMessage, 'field'>[] } => {
  const ofCode = codes[code ?? ''];
  if (ofCode !== undefined) return { fields: [{ field: ofCode, path: ofCode, message }], rest: [] };
  const fieldOf = (path: string): string | undefined => names.find((name) => isAtField(path, name));
  return {
    fields: issues.flatMap(({ path, message: words }) => {
      const field = fieldOf(path);
      return field === undefined ? [] : [{ field, path, message: words }];
    }),
    rest: issues.filter(({ path }) => fieldOf(path) === undefined),
  };
};
