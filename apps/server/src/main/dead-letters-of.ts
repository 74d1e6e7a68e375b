/**
 * Dead letters of a kind of job or a consumer, or of all.
 * @throws for a name that none has, so that a misspelt one does not look like one without dead letters
 */
export const lettersOfName = async <Letter>(
  name: string | undefined,
  { what, known, list }: { what: string; known: readonly { name: string }[]; list: () => Promise<Letter[]> },
): Promise<Letter[]> => {
  const letters = await list();
  // They may be of one that an earlier version had.
  if (name !== undefined && letters.length === 0 && !known.some((one) => one.name === name))
    throw new Error(`There is no ${what} ${name}`);
  return letters;
};
