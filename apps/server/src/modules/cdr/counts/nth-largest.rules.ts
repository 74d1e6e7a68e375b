/**
 * The least of the `count` greatest values. These are kept in a heap with the least on top: of a million values few
 * are greater than it, so most values need one comparison.
 */
export const nthLargest = (numbers: Float64Array, count: number): number => {
  if (numbers.length <= count) return 0;
  const heap = numbers.slice(0, count).sort();
  for (let index = count; index < numbers.length; index += 1) {
    const number = numbers[index] ?? 0;
    if (number <= (heap[0] ?? 0)) continue;
    let position = 0;
    for (let child = 1; child < heap.length; child = 2 * position + 1) {
      if ((heap[child + 1] ?? Infinity) < (heap[child] ?? 0)) child += 1;
      const smaller = heap[child] ?? 0;
      if (smaller >= number) break;
      heap[position] = smaller;
      position = child;
    }
    heap[position] = number;
  }
  return heap[0] ?? 0;
};
