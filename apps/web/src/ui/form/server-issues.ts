import type { FieldIssue } from '@simcube/contract';
import type { ApiFailure } from '../../lib/api-client/index.ts';

/** The server's issues that have a field in this form, and those that have none. */
export const issuesOfServer = (
  { issues }: Pick<ApiFailure, 'issues'>,
  names: readonly string[],
): { fields: FieldIssue[]; rest: FieldIssue[] } => {
  const here = ({ path }: FieldIssue): boolean => names.includes(path.split('.')[0] ?? '');
  return { fields: issues.filter(here), rest: issues.filter((issue) => !here(issue)) };
};
