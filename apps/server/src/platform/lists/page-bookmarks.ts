import type { Position } from './order.ts';

/** A row's position in an order, and the number of rows up to it. */
export interface Bookmark {
  offset: number;
  position: Position;
}

const bookmarkTtlMs = 30_000;
const maxOrders = 100;
const maxPerOrder = 100;

/**
 * Remembers where far pages began, so that the same page and those after it are reached from there and not from
 * the start of the order. Otherwise reading a long list by page numbers would walk half of it for each page.
 * Marks expire after half a minute, because inserted and deleted rows shift the others.
 */
export class PageBookmarks {
  readonly #orders = new Map<string, (Bookmark & { expiresAt: number })[]>();

  /** The last mark at or before the offset. */
  lastBefore(order: string, offset: number, now: Date): Bookmark | undefined {
    const bookmarks = this.#orders.get(order)?.filter(({ expiresAt }) => expiresAt > now.getTime()) ?? [];
    return bookmarks
      .filter((bookmark) => bookmark.offset <= offset)
      .toSorted((one, other) => other.offset - one.offset)
      .at(0);
  }

  add(order: string, bookmark: Bookmark, now: Date): void {
    const bookmarks = this.#orders.get(order) ?? [];
    this.#orders.delete(order);
    this.#orders.set(
      order,
      [...bookmarks, { ...bookmark, expiresAt: now.getTime() + bookmarkTtlMs }].slice(-maxPerOrder),
    );
    const [oldest] = this.#orders.keys();
    if (this.#orders.size > maxOrders && oldest !== undefined) this.#orders.delete(oldest);
  }
}
