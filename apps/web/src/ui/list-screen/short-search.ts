/** One or two characters, which the server compares with the beginning of fields only. */
export const isShortSearch = (search: string | undefined): boolean => {
  const length = [...(search ?? '').trim()].length;
  return length === 1 || length === 2;
};
