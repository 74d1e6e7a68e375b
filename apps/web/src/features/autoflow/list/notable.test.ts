import { expect, it } from 'vitest';
import { isNotable } from './notable.ts';

const gb = (amount: number) => ({ unit: 'GB', amount }) as const;
const percent = (amount: number) => ({ unit: '%', amount }) as const;

it.each([
  [gb(36), gb(34), true],
  [gb(36), gb(35), false],
  [gb(1), { unit: 'MB', amount: 900 } as const, true],
  [percent(80), percent(79), false],
  [percent(80), percent(76), true],
  [percent(80), null, true],
])('for the threshold %j, the safer %j is notable: %s', (threshold, safer, notable) => {
  expect(isNotable({ threshold, safer })).toBe(notable);
});
