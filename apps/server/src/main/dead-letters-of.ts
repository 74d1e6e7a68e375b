/**
 * Dead letters of one kind of job or one consumer, or all.
 * @throws Error for an unknown name, so that a misspelt one does not look like one without dead letters
 */
export const lettersOfName = async <Letter>(
  name: string | undefined,
  { what, known, list }: { what: string; known: readonly { name: string }[]; list: () => Promise<Letter[]> },
): Promise<Letter[]> => {
  const letters = await list();
  // The name may be one of an earlier version.
  if (name !== undefined && letters.length === 0 && !known.some((one) => one.name === name))
    throw new Error(`There is no ${what} ${name}`);
  return letters;
};
