import type { Position } from './order.ts';

/** A row's place in an order, and how many rows there are up to it. */
export interface Mark {
  offset: number;
  place: Position;
}

const keptMs = 30_000;
const mostOrders = 100;
const marksOfOrder = 100;

/**
 * Where far pages began, so that the same page again, and those after it, are walked to from there and not from the
 * start of the order: who reads a long list by page numbers reads it once, not half of it for each page. For half a
 * minute only, as rows that change meanwhile move the others.
 */
export class OrderMarks {
  readonly #orders = new Map<string, (Mark & { until: number })[]>();

  /** The last mark up to so many rows. */
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
