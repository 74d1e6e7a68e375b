/** Search strings of the lists that keep their state, by area, for as long as a person is signed in. */
const kept = new Map<string, string>();

/** With its question mark; empty when the area was not visited or had no filters. */
export const keptSearchOf = (area: string): string => kept.get(area) ?? '';

export const keepSearch = (area: string, search: string): void => {
  kept.set(area, search);
};

export const clearKeptSearches = (): void => kept.clear();
