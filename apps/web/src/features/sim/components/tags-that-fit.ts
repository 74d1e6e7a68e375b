/**
 * In pixels: initial width of the tags column, edge and gap of a pill, width of a letter, and width of the count of hidden tags.
 */
const [columnWidth, pillEdge, letterWidth, counterWidth] = [86, 20, 6.4, 18];

/** How many tags fit into their column next to the count of the others; at least one, truncated if necessary. */
export const tagsThatFit = (tags: readonly string[]): number => {
  let used = 0;
  const firstHidden = tags.findIndex((tag, index) => {
    used += pillEdge + tag.length * letterWidth;
    return used + (index < tags.length - 1 ? counterWidth : 0) > columnWidth;
  });
  return firstHidden < 0 ? tags.length : Math.max(1, firstHidden);
};
