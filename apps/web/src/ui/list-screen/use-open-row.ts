import { useState } from 'react';

/**
 * The row that is open, as it was seen last: what others change or remove may take it out of the list, and what is being read
 * or written there would be gone without a word.
 */
export const useOpenRow = <Row>(
  rows: readonly Row[] | undefined,
  key: string | undefined,
  keyOf: (row: Row) => string,
): Row | undefined => {
  const [seen, setSeen] = useState<Row>();
  if (key === undefined) return undefined;
  const found = rows?.find((row) => keyOf(row) === key);
  if (found !== undefined && found !== seen) setSeen(found);
  return found ?? (seen !== undefined && keyOf(seen) === key ? seen : undefined);
};
