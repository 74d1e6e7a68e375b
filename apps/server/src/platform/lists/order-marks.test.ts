import { expect, it } from 'vitest';
import { OrderMarks } from './order-marks.ts';

const now = new Date('2026-11-21T12:00:00Z');
const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);
const markAt = (offset: number) => ({ offset, place: [String(offset)] });

it('order marks give the last mark up to a number of rows, of this order only', () => {
  const marks = new OrderMarks();
  for (const offset of [30_000, 20_000, 40_000]) marks.keep('one', markAt(offset), now);
  expect(marks.before('one', 19_999, now)).toBeUndefined();
  expect(marks.before('one', 20_000, now)).toMatchObject(markAt(20_000));
  expect(marks.before('one', 39_999, now)).toMatchObject(markAt(30_000));
  expect(marks.before('other', 39_999, now)).toBeUndefined();
});

it('order marks expire after 30 seconds each', () => {
  const marks = new OrderMarks();
  marks.keep('one', markAt(20_000), now);
  marks.keep('one', markAt(30_000), later(20));
  expect(marks.before('one', 25_000, later(29))).toMatchObject(markAt(20_000));
  expect(marks.before('one', 25_000, later(30))).toBeUndefined();
  expect(marks.before('one', 30_000, later(49))).toMatchObject(markAt(30_000));
});

it('order marks are limited in number, per order and in total', () => {
  const marks = new OrderMarks();
  for (let index = 0; index < 150; index += 1) marks.keep('long', markAt(20_000 + index), now);
  expect(marks.before('long', 20_049, now)).toBeUndefined();
  expect(marks.before('long', 20_050, now)).toMatchObject(markAt(20_050));
  for (let index = 0; index < 100; index += 1) marks.keep(`order ${index}`, markAt(20_000), now);
  expect(marks.before('long', 30_000, now)).toBeUndefined();
  expect(marks.before('order 0', 30_000, now)).toMatchObject(markAt(20_000));
});
