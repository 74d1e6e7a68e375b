import { type Language, languages, toInputIssues } from '@simcube/contract';
import { type AutoflowTemplate, type TemplateText, templateBodySchema } from '@simcube/contract/autoflow';
import type { Issue } from '../editor/draft.ts';

export type TemplatePart = keyof TemplateText;

/** A template being edited: possibly incomplete texts, in every language. */
export interface TemplateDraft {
  name: string;
  texts: Record<Language, TemplateText>;
}

const noText: TemplateText = { subject: '', text: '', sms: '' };

export const templateDraftOf = (template: AutoflowTemplate | undefined): TemplateDraft => ({
  name: template?.name ?? '',
  texts: Object.fromEntries(
    languages.map((language) => [language, template?.texts[language] ?? noText]),
  ) as TemplateDraft['texts'],
});

export const hasText = ({ subject, text, sms }: TemplateText): boolean =>
  [subject, text, sms].some((words) => words.trim() !== '');

/** Issues by `name`, `texts`, or `texts.<language>.<part>`. */
export type TemplateIssues = Partial<Record<string, Issue>>;
export type TemplateBody = Pick<AutoflowTemplate, 'name' | 'texts'>;

/** The body to save, with the languages that have text; or the issues, as the server would report them. */
export const validateTemplate = ({
  name,
  texts,
}: TemplateDraft): { body: TemplateBody } | { issues: TemplateIssues } => {
  const languagesWithText = Object.fromEntries(
    languages.flatMap((language) => (hasText(texts[language]) ? [[language, texts[language]]] : [])),
  );
  const { data, error } = templateBodySchema.safeParse({ name, texts: languagesWithText });
  if (data) return { body: data };
  const issues: TemplateIssues = {};
  for (const issue of error.issues) for (const found of toInputIssues(issue)) issues[found.path] ??= found;
  return { issues };
};
