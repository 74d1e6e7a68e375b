/** A heap of scheduled values, earliest first. */
export class EventQueue<T> {
  readonly #heap: { dueMs: number; value: T }[] = [];

  get size(): number {
    return this.#heap.length;
  }

  push(dueMs: number, value: T): void {
    const heap = this.#heap;
    const entry = { dueMs, value };
    let at = heap.length;
    heap.push(entry);
    while (at > 0) {
      const parentAt = (at - 1) >> 1;
      const parent = heap[parentAt];
      if (parent === undefined || parent.dueMs <= dueMs) break;
      heap[at] = parent;
      at = parentAt;
    }
    heap[at] = entry;
  }

  /** Removes and returns the earliest value if it is due. */
  popDue(nowMs: number): T | undefined {
    const [first] = this.#heap;
    if (first === undefined || first.dueMs > nowMs) return undefined;
    const last = this.#heap.pop();
    if (last !== undefined && last !== first) this.#sinkFromTop(last);
    return first.value;
  }

  clear(): void {
    this.#heap.length = 0;
  }

  #sinkFromTop(entry: { dueMs: number; value: T }): void {
    const heap = this.#heap;
    let at = 0;
    for (;;) {
      const left = heap[2 * at + 1];
      const right = heap[2 * at + 2];
      const isRight = left !== undefined && right !== undefined && right.dueMs < left.dueMs;
      const child = isRight ? right : left;
      if (child === undefined || child.dueMs >= entry.dueMs) break;
      heap[at] = child;
      at = 2 * at + (isRight ? 2 : 1);
    }
    heap[at] = entry;
  }
}
