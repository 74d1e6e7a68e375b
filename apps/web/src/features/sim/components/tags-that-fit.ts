/**
 * In pixels: initial width of the tags column, edge and gap of a pill, width of a letter, and width of the count of hidden tags.
 */
const [room, edge, letter, count] = [86, 20, 6.4, 18];

/** How many tags fit into their column next to the count of the others; at least one, truncated if necessary. */
export const tagsThatFit = (tags: readonly string[]): number => {
  let used = 0;
  const fitting = tags.findIndex((tag, index) => {
    used += edge + tag.length * letter;
    return used + (index < tags.length - 1 ? count : 0) > room;
  });
  return fitting < 0 ? tags.length : Math.max(1, fitting);
};
