type Values = Readonly<Record<string, unknown>> | null;

interface Words {
  /** Names of fields; one that has none is named as it is stored. */
  labels: Readonly<Record<string, string>>;
  /** A value of a field; null where it had, or has, none. */
  wordOf: (field: string, value: unknown) => string;
}

/** The fields that were changed, as they were and became; of what is new, what it was made with. */
export const changeText = (
  { before, after }: { before: Values; after: Values },
  { labels, wordOf }: Words,
): string => {
  const textOf = (values: Values, field: string): string => wordOf(field, values?.[field] ?? null);
  return Object.keys(after ?? before ?? {})
    .filter((field) => after?.[field] != null || before?.[field] != null)
    .map((field) => {
      const was = after && before?.[field] !== undefined ? `${textOf(before, field)} → ` : '';
      return `${labels[field] ?? field}: ${was}${textOf(after ?? before, field)}`;
    })
    .join('; ');
};
