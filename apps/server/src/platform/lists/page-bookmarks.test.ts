import { expect, it } from 'vitest';
import { PageBookmarks } from './page-bookmarks.ts';

const now = new Date('2026-11-21T12:00:00Z');
const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);
const bookmarkAt = (offset: number) => ({ offset, position: [String(offset)] });

it('page bookmarks return the last bookmark before an offset, per order', () => {
  const bookmarks = new PageBookmarks();
  for (const offset of [30_000, 20_000, 40_000]) bookmarks.add('one', bookmarkAt(offset), now);
  expect(bookmarks.lastBefore('one', 19_999, now)).toBeUndefined();
  expect(bookmarks.lastBefore('one', 20_000, now)).toMatchObject(bookmarkAt(20_000));
  expect(bookmarks.lastBefore('one', 39_999, now)).toMatchObject(bookmarkAt(30_000));
  expect(bookmarks.lastBefore('other', 39_999, now)).toBeUndefined();
});

it('page bookmarks expire after 30 seconds', () => {
  const bookmarks = new PageBookmarks();
  bookmarks.add('one', bookmarkAt(20_000), now);
  bookmarks.add('one', bookmarkAt(30_000), later(20));
  expect(bookmarks.lastBefore('one', 25_000, later(29))).toMatchObject(bookmarkAt(20_000));
  expect(bookmarks.lastBefore('one', 25_000, later(30))).toBeUndefined();
  expect(bookmarks.lastBefore('one', 30_000, later(49))).toMatchObject(bookmarkAt(30_000));
});

it('page bookmarks are limited in number, per order and in total', () => {
  const bookmarks = new PageBookmarks();
  for (let index = 0; index < 150; index += 1) bookmarks.add('long', bookmarkAt(20_000 + index), now);
  expect(bookmarks.lastBefore('long', 20_049, now)).toBeUndefined();
  expect(bookmarks.lastBefore('long', 20_050, now)).toMatchObject(bookmarkAt(20_050));
  for (let index = 0; index < 100; index += 1) bookmarks.add(`order ${index}`, bookmarkAt(20_000), now);
  expect(bookmarks.lastBefore('long', 30_000, now)).toBeUndefined();
  expect(bookmarks.lastBefore('order 0', 30_000, now)).toMatchObject(bookmarkAt(20_000));
});
