/** Search strings of the lists that keep their state, by area, until the person signs out. */
const searches = new Map<string, string>();

/** Includes the question mark; empty if the area was not visited or had no filters. */
export const rememberedSearch = (area: string): string => searches.get(area) ?? '';

export const rememberSearch = (area: string, search: string): void => {
  searches.set(area, search);
};

export const forgetSearches = (): void => searches.clear();
