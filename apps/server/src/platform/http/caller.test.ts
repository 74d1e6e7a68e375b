import { expect, it } from 'vitest';
import { timeZoneOf } from './caller.ts';

it.each([
  ['Asia/Shanghai', 'Asia/Shanghai'],
  ['UTC', 'UTC'],
  ['+08:00', 'UTC'],
  ['-0330', 'UTC'],
  ['+08', 'UTC'],
  ['Mars/Olympus', 'UTC'],
  ['', 'UTC'],
  [undefined, 'UTC'],
])('the time zone of a caller that sends %s is %s', (header, expected) => {
  expect(timeZoneOf(header)).toBe(expected);
});
