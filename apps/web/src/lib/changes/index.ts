import { joinStatements } from '../format/index.ts';
import { translate } from '../language/index.ts';

type Values = Readonly<Record<string, unknown>> | null;

interface FieldTexts {
  /** Names of fields; fields without one are shown under their stored name. */
  labels: Readonly<Record<string, string>>;
  /** The text of a field's value; null if the field had, or has, none. */
  valueText: (field: string, value: unknown) => string;
}

/** Describes each changed field with its old and new value; for a new object, its initial values. */
export const changeText = (
  { before, after }: { before: Values; after: Values },
  { labels, valueText }: FieldTexts,
): string => {
  const textOf = (values: Values, field: string): string => valueText(field, values?.[field] ?? null);
  const changes = Object.keys(after ?? before ?? {})
    .filter((field) => after?.[field] != null || before?.[field] != null)
    .map((field) => {
      const oldValue = after && before?.[field] !== undefined ? `${textOf(before, field)} → ` : '';
      const value = `${oldValue}${textOf(after ?? before, field)}`;
      return translate('kit.marks.named', { name: labels[field] ?? field, value });
    });
  return joinStatements(changes);
};
