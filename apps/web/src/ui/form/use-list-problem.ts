import { toInputIssues } from '@simcube/contract';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';

/** The first error in a list of short texts, as text; they stay in the field until they are corrected. */
export const useListProblem = (
  schema: z.ZodType<unknown, readonly string[] | undefined>,
  items: readonly string[],
): string | undefined => {
  const { t } = useTranslation();
  const [issue] = schema.safeParse(items).error?.issues ?? [];
  const [inputIssue] = issue ? toInputIssues(issue) : [];
  if (!issue || !inputIssue) return undefined;
  const message = t(`errors.issues.${inputIssue.key}`, { ...inputIssue.values });
  const item = items[Number(issue.path[0])];
  return item === undefined ? message : t('kit.form.ofItem', { item, message });
};
