/** Pixels of the tags column at first, of a pill's edge and gap, of a letter, and of the count of those left out. */
const [room, edge, letter, count] = [86, 20, 6.4, 18];

/** How many tags fit into their column beside the count of the others; always one, which is cut if it must be. */
export const tagsThatFit = (tags: readonly string[]): number => {
  let used = 0;
  const fitting = tags.findIndex((tag, index) => {
    used += edge + tag.length * letter;
    return used + (index < tags.length - 1 ? count : 0) > room;
  });
  return fitting < 0 ? tags.length : Math.max(1, fitting);
};
