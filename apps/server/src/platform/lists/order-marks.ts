import type { Position } from './order.ts';

/** A row's position in an order, and the number of rows up to it. */
export interface Mark {
  offset: number;
  place: Position;
}

const keptMs = 30_000;
const mostOrders = 100;
const marksOfOrder = 100;

/**
 * Remembers where far pages began, so that the same page and those after it are reached from there and not from
 * the start of the order. Otherwise reading a long list by page numbers would walk half of it for each page.
 * Marks expire after half a minute, because inserted and deleted rows shift the others.
 */
export class OrderMarks {
  readonly #orders = new Map<string, (Mark & { until: number })[]>();

  /** The last mark at or before the offset. */
  before(order: string, offset: number, now: Date): Mark | undefined {
    const kept = this.#orders.get(order)?.filter(({ until }) => until > now.getTime()) ?? [];
    return kept
      .filter((mark) => mark.offset <= offset)
      .toSorted((one, other) => other.offset - one.offset)
      .at(0);
  }

  keep(order: string, mark: Mark, now: Date): void {
    const kept = this.#orders.get(order) ?? [];
    this.#orders.delete(order);
    this.#orders.set(order, [...kept, { ...mark, until: now.getTime() + keptMs }].slice(-marksOfOrder));
    const [oldest] = this.#orders.keys();
    if (this.#orders.size > mostOrders && oldest !== undefined) this.#orders.delete(oldest);
  }
}
