/** Search strings of the lists that keep their state, by area, until the person signs out. */
const kept = new Map<string, string>();

/** Includes the question mark; empty if the area was not visited or had no filters. */
export const keptSearchOf = (area: string): string => kept.get(area) ?? '';

export const keepSearch = (area: string, search: string): void => {
  kept.set(area, search);
};

export const clearKeptSearches = (): void => kept.clear();
