import type { ApiFailure } from '../../lib/api-client/index.ts';

interface FieldMessage {
  path: string;
  message: string;
}

/** What the server refused that has a field in this form, by path or by error code, and what has none. */
export const issuesOfServer = (
  { issues, code, message }: Pick<ApiFailure, 'issues' | 'code' | 'message'>,
  { names, codes }: { names: readonly string[]; codes: Readonly<Record<string, string>> },
): { fields: FieldMessage[]; rest: FieldMessage[] } => {
  const ofCode = codes[code ?? ''];
  if (ofCode !== undefined) return { fields: [{ path: ofCode, message }], rest: [] };
  const here = ({ path }: FieldMessage): boolean => names.includes(path.split('.')[0] ?? '');
  return { fields: issues.filter(here), rest: issues.filter((issue) => !here(issue)) };
};
