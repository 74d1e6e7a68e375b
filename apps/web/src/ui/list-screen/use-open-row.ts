import { useState } from 'react';

/**
 * The open row in its last known state: changes by others may remove it from the list, and anything being read or typed there
 * would otherwise disappear without notice.
 */
export const useOpenRow = <Row>(
  rows: readonly Row[] | undefined,
  key: string | undefined,
  keyOf: (row: Row) => string,
): Row | undefined => {
  const [lastKnown, setLastKnown] = useState<Row>();
  if (key === undefined) return undefined;
  const found = rows?.find((row) => keyOf(row) === key);
  if (found !== undefined && found !== lastKnown) setLastKnown(found);
  return found ?? (lastKnown !== undefined && keyOf(lastKnown) === key ? lastKnown : undefined);
};
