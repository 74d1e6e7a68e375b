/** Used by other programs of the project: the simulator's secret, the browser tests' settings. */
const otherPrograms = /^SIMCUBE_(SIM_SECRET$|E2E_|CHROMIUM$|DEV_SERVER$)/;

/** Variables that look like ours but are unknown, each with the most similar known name. */
export const unknownNames = (names: readonly string[], known: readonly string[]): string[] =>
  names
    .filter((name) => name.startsWith('SIMCUBE_') && !known.includes(name) && !otherPrograms.test(name))
    .sort()
    .map((name) => {
      const suggestion = nearestOf(name, known);
      return `${name} is not a setting of SimCube${suggestion ? `: did you mean ${suggestion}?` : ''}`;
    });

const nearestOf = (name: string, known: readonly string[]): string | undefined => {
  const bound = Math.max(2, Math.floor(name.length / 5));
  const [best] = known
    .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
    .filter(({ distance }) => distance <= bound)
    .sort((a, b) => a.distance - b.distance);
  return best?.candidate;
};

/** Number of letters to add, remove or replace (Levenshtein). */
const editDistance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...a].entries()) {
    const next = [index + 1];
    for (const [place, other] of [...b].entries()) {
      const [left = 0, above = 0, before = 0] = [next[place], row[place + 1], row[place]];
      next.push(Math.min(left + 1, above + 1, before + (letter === other ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
};
