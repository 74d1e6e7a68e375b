/**
 * Dead letters of one kind of job or one consumer, or all.
 * @throws Error for an unknown name, so that a misspelt one does not look like one without dead letters
 */
export const deadLettersOf = async <DeadLetter>(
  name: string | undefined,
  {
    what,
    known,
    list,
  }: { what: string; known: readonly { name: string }[]; list: () => Promise<DeadLetter[]> },
): Promise<DeadLetter[]> => {
  const deadLetters = await list();
  // The name may be one of an earlier version.
  if (name !== undefined && deadLetters.length === 0 && !known.some((knownName) => knownName.name === name))
    throw new Error(`There is no ${what} ${name}`);
  return deadLetters;
};
