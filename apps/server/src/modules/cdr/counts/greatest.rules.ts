/**
 * The least of the `most` greatest values. These are kept in a heap with the least on top: of a million values few
 * are greater than it, so most values need one comparison.
 */
export const leastOf = (numbers: Float64Array, most: number): number => {
  if (numbers.length <= most) return 0;
  const heap = numbers.slice(0, most).sort();
  for (let index = most; index < numbers.length; index += 1) {
    const number = numbers[index] ?? 0;
    if (number <= (heap[0] ?? 0)) continue;
    let place = 0;
    for (let child = 1; child < heap.length; child = 2 * place + 1) {
      if ((heap[child + 1] ?? Infinity) < (heap[child] ?? 0)) child += 1;
      const lesser = heap[child] ?? 0;
      if (lesser >= number) break;
      heap[place] = lesser;
      place = child;
    }
    heap[place] = number;
  }
  return heap[0] ?? 0;
};
